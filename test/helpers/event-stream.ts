/** The JSON messages of a text/event-stream answer; comments are left out. */
export function eventsOf(text: string): unknown[] {
  return text
    .split("\n\n")
    .flatMap((frame) => frame.split("\n").filter((line) => line.startsWith("data:")))
    .map((line) => JSON.parse(line.slice("data:".length)) as unknown)
}
