import type { Locator } from "playwright-core";
import type { BrowserUser } from "../../tests/e2e/support/browser-user.ts";
import type { DemoRecords } from "./demo-records.ts";

/** A picture of the user guide: a page of the demo, in the state that the guide describes. */
export interface GuidePicture {
  /** The name of its file. */
  name: string;
  /** The account of the reader; none for a page before the sign-in. */
  account?: string;
  address: (records: DemoRecords) => string;
  /** Brings the page into its state. */
  prepare?: (person: BrowserUser) => Promise<unknown>;
  /** The part of the page that gets a ring. */
  point?: (person: BrowserUser) => Locator;
  /** True for a page that draws images, which come after everything else. */
  drawsImages?: true;
}
