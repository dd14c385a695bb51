/** A Dockerfile as stages of instructions: as much of the language as ours uses, and a refusal of the rest. */

export interface Instruction {
  readonly name: string
  /** After the flags, variables put in. */
  readonly text: string
  /** `--from=build` as from → build. */
  readonly flags: ReadonlyMap<string, string>
}

export interface Stage {
  readonly base: string
  readonly name: string
  readonly instructions: readonly Instruction[]
}

type Variables = Map<string, string>

const FLAG = /^--([a-z-]+)=(\S+)\s+/

function put(text: string, variables: Variables): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = variables.get(name)
    if (value === undefined) throw new Error(`the Dockerfile uses ${name} without an ARG`)
    return value
  })
}

function instruction(line: string, variables: Variables): Instruction {
  const [name = "", ...words] = line.split(" ")
  let rest = put(words.join(" ").trim(), variables)
  const flags = new Map<string, string>()
  for (let flag = FLAG.exec(rest); flag !== null; flag = FLAG.exec(rest)) {
    flags.set(flag[1] ?? "", flag[2] ?? "")
    rest = rest.slice(flag[0].length)
  }
  return { name: name.toUpperCase(), text: rest, flags }
}

/** Arguments before the first FROM are for FROM lines; the others for their stage. */
export function parseDockerfile(text: string): Stage[] {
  const lines = text.replace(/^\s*#.*\n/gm, "").replace(/\\\n\s*/g, "").split("\n").filter((line) => line.trim() !== "")
  const stages: (Stage & { instructions: Instruction[] })[] = []
  const outer: Variables = new Map()
  let variables = outer
  for (const line of lines) {
    const { name, text: rest, flags } = instruction(line, line.startsWith("FROM") ? outer : variables)
    if (name === "ARG") {
      const [key = "", value = ""] = rest.split("=")
      variables.set(key, value)
    } else if (name === "FROM") {
      const [base = "", , as = ""] = rest.split(" ")
      stages.push({ base, name: as, instructions: [] })
      variables = new Map()
    } else stages.at(-1)?.instructions.push({ name, text: rest, flags })
  }
  return stages
}
