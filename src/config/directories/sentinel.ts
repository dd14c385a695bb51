/** Marks a slot of the container layout as a placeholder: an entry of this name is never served, nor made. */
export const SENTINEL = ".serverfs-disabled"
