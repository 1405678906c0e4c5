import classes from "./person.module.css";

/** A person's picture, or the initials. It is decorative, because the name is shown next to it. */
export function Person({ name, picture, size = 34 }: { name: string; picture?: string | null; size?: number }) {
  const measure = { width: size, height: size, fontSize: size * 0.4 };
  return (
    <span className={classes.person} style={measure} aria-hidden>
      {picture ? <img src={picture} alt="" className={classes.picture} /> : initialsOf(name)}
    </span>
  );
}

/**
 * Returns the first character of a Chinese name, which is the family name, and otherwise the initials of the first and
 * the last word.
 */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = [...(words[0] ?? "")][0] ?? "";
  if (/[\u2e80-\u9fff]/.test(first) || words.length < 2) return first.toUpperCase();
  return (first + ([...words.at(-1)!][0] ?? "")).toUpperCase();
}
