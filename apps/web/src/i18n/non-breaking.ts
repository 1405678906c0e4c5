/**
 * Prevents a line break within a range such as "24–26": a line may break at a dash unless a word joiner is beside it.
 */
export const toNonBreakingRanges = (text: string): string => text.replace(dashes, "\u2060–\u2060");
/**
 * As `toNonBreakingRanges`, and keeps a number and its unit together, even in a text whose placeholders are not filled
 * yet.
 */
export const toNonBreaking = (text: string): string => toNonBreakingRanges(text).replace(gaps, "\u00a0");

const dashes = /(?<=\d|\}\})–(?=\d|\{\{)/g;
const units = [
  [
    "%",
    "°",
    "mm[²³]?",
    "cm[²³]?",
    "µm",
    "px²?",
    "m[lL]",
    "HU",
    "[kMGT]?B",
    "ms",
    "s",
    "min",
    "h",
    "msn",
    "sn",
    "dk",
    "sa",
  ],
  ["мм[²³]?", "см[²³]?", "мкм", "пикс²?", "мл", "[кМГТ]?Б", "мс", "с", "мин", "ч"],
  ["مم[²³]?", "سم[²³]?", "ميكرومتر", "بكسل²?", "مل", "غ\\.?ب", "م\\.?ب", "ميغابايت", "مث", "ث", "د", "س"],
].flat();
const gaps = new RegExp(
  `(?<=\\d|\\}\\}) (?=(?:${units.join("|")})(?![\\p{L}\\d])|\\{\\{unit\\}\\})|(?<=±) (?=\\d|\\{\\{)`,
  "gu",
);
