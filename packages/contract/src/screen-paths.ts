import { screens } from "./screens.ts";
import type { ScreenName } from "./screens.ts";

/** The entry page of people of the after-sales service who work in another role at the moment. */
export const serviceEntryPath = "/service";
/** The page that follows is to be rendered anew. */
export const refreshPrefix = "/redirect/";

const screensByPath = new Map(
  Object.entries(screens).map(([name, screen]) => [screen.path as string, name as ScreenName]),
);
export const findScreen = (path: string): ScreenName | undefined =>
  screensByPath.get(path.length > 1 ? path.replace(/\/$/, "") : path);

/** True for the path of a screen, and of an address from which the web application goes on to one. */
export const leadsToScreen = (path: string): boolean =>
  path === "/" || path === serviceEntryPath || path.startsWith(refreshPrefix) || findScreen(path) !== undefined;
