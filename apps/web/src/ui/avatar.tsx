import classes from "./avatar.module.css";

/** A person's avatar image, or the initials. It is decorative, because the name is shown next to it. */
export function Avatar({ name, imageUrl, size = 34 }: { name: string; imageUrl?: string | null; size?: number }) {
  const dimensions = { width: size, height: size, fontSize: size * 0.4 };
  return (
    <span className={classes.person} style={dimensions} aria-hidden>
      {imageUrl ? <img src={imageUrl} alt="" className={classes.picture} /> : getInitials(name)}
    </span>
  );
}

/**
 * Returns the first character of a Chinese name, which is the family name, and otherwise the initials of the first and
 * the last word.
 */
export function getInitials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = [...(words[0] ?? "")][0] ?? "";
  if (/[\u2e80-\u9fff]/.test(first) || words.length < 2) return first.toUpperCase();
  return (first + ([...words.at(-1)!][0] ?? "")).toUpperCase();
}
