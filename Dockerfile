# The gateway as an image: Bun, the sources, their packages. At run time there is no shell, the root file system may be
# read-only, and nothing is written but the state in /var/lib/serverfs. For amd64 and arm64; for musl say
# --build-arg RUNTIME=alpine.
ARG BUN=1.4.5
ARG RUNTIME=distroless

FROM oven/bun:${BUN}-slim AS build
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile --production --ignore-scripts
COPY tsconfig.json ./
COPY src ./src
# Whatever modes the checkout has, the image's user may read it and change none of it.
RUN chmod -R u=rwX,go=rX /app && mkdir -p /empty

FROM oven/bun:${BUN}-${RUNTIME}
ARG UID=10001
ARG GID=10001
COPY --from=build /app /app
COPY --from=build /empty /workdirs
COPY --from=build --chown=${UID}:${GID} /empty /var/lib/serverfs
ENV SERVERFS_HOST=0.0.0.0 \
    SERVERFS_STATE_DIR=/var/lib/serverfs/state \
    BUN_RUNTIME_TRANSPILER_CACHE_PATH=0 \
    BUN_ENABLE_CRASH_REPORTING=0 \
    DO_NOT_TRACK=1
USER ${UID}:${GID}
WORKDIR /app
VOLUME /var/lib/serverfs
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s CMD ["/usr/local/bin/bun", "--no-env-file", "--config=/app/bunfig.toml", "--tsconfig-override=/app/tsconfig.json", "/app/src/main.ts", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/bun", "--no-env-file", "--config=/app/bunfig.toml", "--tsconfig-override=/app/tsconfig.json", "/app/src/main.ts"]
