/**
 * Returns the path of the script that the app begins with, whose name contains a hash of its version; null if the page
 * names none. On the page of a CBCT another script starts the app, and the tag of that script names the app's.
 */
export function findAppEntry(): string | null {
  const scripts = [...document.scripts];
  const delayed = scripts.find(({ dataset }) => dataset["app"])?.dataset["app"];
  if (delayed) return delayed;
  const paths = scripts.flatMap(({ src }) => (src ? [new URL(src, location.href).pathname] : []));
  return paths.find((path) => path.startsWith("/assets/index-")) ?? null;
}
