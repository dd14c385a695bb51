/** The commands there are, and what --help says of each. runners.ts says what runs one. */
export const COMMANDS = {
  serve: "serve the configured directories (what it does when no command is given)",
  token: "make, list and revoke bearer tokens with rights of their own",
  grants: "list and revoke what was granted to OAuth clients",
  "operator-secret": "set the secret that opens the OAuth consent page",
  doctor: "check the configuration, the directories, the kernel and the confinement",
  audit: "follow and filter the audit file",
  connect: "print how to connect a client",
  healthcheck: "ask the running gateway whether it is ready",
} as const satisfies Record<string, string>

export type CommandName = keyof typeof COMMANDS

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}
