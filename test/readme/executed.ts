/** What executes each command of the README. A command that is not here fails test/readme.test.ts, as does a line without its command. */
import { COMMANDS } from "../../src/cli/command-table.ts"

/** A test or script that takes the command from the README, with documented(), or has `as` in its text. */
export interface Executed {
  readonly by: string
  readonly as?: string
}

/** What few machines have, and the test that checks of the command what can be checked without. */
export interface Unexecuted {
  readonly needs: string
  readonly checked: string
}

const HERE: Executed = { by: "test/readme/commands.test.ts" }
const CLONE: Executed = { by: "test/packaging/slow-first-steps.test.ts" }
const ENGINE: Unexecuted = { needs: "a container engine (test/packaging/composed.ts does by hand what it would do)", checked: "test/readme/elsewhere.test.ts" }

export const EXECUTED: Readonly<Record<string, Executed | Unexecuted>> = {
  "npx -y bun@1.4.5 run start": CLONE,
  "npx -y bun@1.4.5": { ...CLONE, as: "npx -y bun@1.4.5" },
  "git pull": CLONE,
  "npx -y bun@1.4.5 run build": { by: "test/packaging/slow-binary.test.ts" },
  "npx -y bun@1.4.5 run test": { by: ".ci/run", as: 'bun() { npx -y bun@1.4.5 "$@"; }' },
  "npx -y bun@1.4.5 run ok": { by: ".ci/run", as: "bun run types\nbun run lint\nbun run test\n" },
  "npx -y bun@1.4.5 run test:slow": { needs: "an hour, and root", checked: "test/readme/elsewhere.test.ts" },
  'claude mcp add --scope user --transport http serverfs http://127.0.0.1:8000/mcp --header "Authorization: Bearer YOUR_TOKEN"': {
    needs: "Claude Code (a program of that name stands in)", checked: "test/e2e/connect.test.ts",
  },
  "cloudflared tunnel --url http://127.0.0.1:8000 --http-host-header 127.0.0.1": { needs: "cloudflared and the internet", checked: "test/readme/elsewhere.test.ts" },
  "cloudflared tunnel create serverfs": { needs: "an account at Cloudflare", checked: "test/readme/elsewhere.test.ts" },
  "docker compose up --build --detach": ENGINE,
  "docker compose --profile cloudflared up --detach": ENGINE,
  "docker compose run --rm serverfs token create --name ci": ENGINE,
  ...Object.fromEntries(Object.keys(COMMANDS).map((name) => [`serverfs ${name}`, { ...HERE, as: "Object.keys(COMMANDS)" }])),
  "./bin/serverfs --dir docs=/srv/docs --dir work=/srv/work:rw": HERE,
  "mkdir -m 700 secrets && openssl rand -hex 32 > secrets/serverfs-token && chmod 644 secrets/serverfs-token": HERE,
  "cp .env.example .env": HERE,
  'curl -s http://127.0.0.1:8000/mcp/list_workdirs -H "Authorization: Bearer YOUR_TOKEN" -H "Content-Type: application/json" -d \'{}\'': HERE,
  "serverfs --check": HERE,
  "serverfs --version": HERE,
  "serverfs connect CLIENT": HERE,
  "serverfs operator-secret": HERE,
  "serverfs doctor": HERE,
  "serverfs grants list": HERE,
  "serverfs grants revoke ID": HERE,
  "serverfs audit --follow --tool edit_text_file --code REVISION_CONFLICT": HERE,
  "serverfs token create --name NAME": HERE,
  "serverfs token create --name ci --workdir docs --read-only --expires 90d": HERE,
  "sudo -u serverfs env SERVERFS_STATE_DIR=/var/lib/serverfs /usr/local/bin/serverfs --env-file /etc/serverfs/serverfs.env token create --name ci": HERE,
  "serverfs token create --name scraper --mount /metrics": HERE,
  "serverfs token list": HERE,
  "serverfs token revoke ci": HERE,
}
