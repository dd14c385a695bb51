/** Every server scenario of the pinned official suite, and what becomes of it here. A test checks that none is missing. */

export type Revision = "2025-11-25" | "2026-07-28"

export interface Scenario {
  readonly name: string
  /** The revisions that it is run under, of those it applies to. */
  readonly runs: readonly Revision[]
  /** Why it is not run, under the revisions that are not in `runs`. */
  readonly reason?: string
  /** Checks of it that must fail, since they test what is not offered. One that passes is a fault of this list. */
  readonly fails?: Readonly<Record<string, string>>
}

const BOTH = ["2025-11-25", "2026-07-28"] as const

const TEXT_ONLY = "tools answer with structured content and one text block, and resources are text: no images, sound or binary"
const NO_PROMPTS = "there are no prompts"
const NO_LOGGING = "there is no logging capability: the operator's log is no business of a client's"
const NO_REQUESTS = "the gateway never asks the client for anything: no sampling, elicitation or roots"
const STATELESS = "there are no sessions and no stream of their own to resume"
const NO_EXTENSION = "an optional extension that is not offered"

const run = (name: string, runs: readonly Revision[], more: Partial<Scenario> = {}): Scenario => ({ name, runs, ...more })
const without = (reason: string, ...names: string[]): Scenario[] => names.map((name) => ({ name, runs: [], reason }))

export const SCENARIOS: readonly Scenario[] = [
  run("server-initialize", ["2025-11-25"]),
  run("ping", ["2025-11-25"]),
  run("tools-list", BOTH),
  run("tools-call-simple-text", BOTH),
  run("tools-call-error", BOTH),
  run("tools-call-with-progress", BOTH),
  run("json-schema-2020-12", BOTH),
  run("resources-list", BOTH),
  run("resources-read-text", BOTH),
  run("resources-templates-read", BOTH),
  run("sep-2164-resource-not-found", ["2026-07-28"]),
  run("dns-rebinding-protection", BOTH),
  run("http-header-validation", ["2026-07-28"]),
  run("server-sse-multiple-streams", ["2026-07-28"], { reason: STATELESS }),
  run("input-required-result-unsupported-methods", ["2026-07-28"]),
  run("caching", ["2026-07-28"], { fails: { "sep-2549-prompts-list-caching-hints": NO_PROMPTS } }),
  run("server-stateless", ["2026-07-28"], {
    fails: {
      "sep-2575-server-rejects-undeclared-capability": NO_REQUESTS,
      "sep-2575-missing-capability-http-400": NO_REQUESTS,
      "sep-2575-http-server-no-independent-requests-on-stream": NO_REQUESTS,
      "sep-2575-server-no-log-without-loglevel": NO_LOGGING,
    },
  }),

  ...without(TEXT_ONLY, "tools-call-image", "tools-call-audio", "tools-call-embedded-resource", "tools-call-mixed-content", "resources-read-binary"),
  ...without(NO_PROMPTS, "prompts-list", "prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image"),
  ...without(NO_LOGGING, "logging-set-level", "tools-call-with-logging"),
  ...without("there is nothing to complete: neither prompts nor a list of resources", "completion-complete"),
  ...without(STATELESS, "server-session-lifecycle", "server-sse-polling"),
  ...without("resources are read, never watched", "resources-subscribe", "resources-unsubscribe"),
  ...without("no tool mirrors an argument in a header", "http-custom-header-server-validation"),
  ...without(
    NO_REQUESTS,
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "input-required-result-basic-elicitation",
    "input-required-result-basic-sampling",
    "input-required-result-basic-list-roots",
    "input-required-result-request-state",
    "input-required-result-multiple-input-requests",
    "input-required-result-multi-round",
    "input-required-result-missing-input-response",
    "input-required-result-non-tool-request",
    "input-required-result-result-type",
    "input-required-result-tampered-state",
    "input-required-result-capability-check",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
  ),
  ...without(
    NO_EXTENSION,
    "sep-2640-skills-directory",
    "sep-2640-skills-enumeration",
    "sep-2640-skills-manifest",
    "tasks-lifecycle",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-request-state-removal",
    "tasks-mrtr-input",
    "tasks-request-headers",
    "tasks-dispatch-and-envelope",
    "tasks-status-notifications",
    "tasks-required-task-error",
    "tasks-mrtr-composition",
  ),
]
