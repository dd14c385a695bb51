/** The package's version, as serverInfo, OpenAPI and --version say it. */
import manifest from "../package.json" with { type: "json" }

export const VERSION: string = manifest.version
