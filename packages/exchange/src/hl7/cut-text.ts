/** The first characters of a text, without half of a letter at its end, which no database stores. */
export const cutText = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
