import type { Language } from "@arcada/contract/kernel/languages";
import { formatWithZone } from "@arcada/contract/kernel/time-zone";
import { formatTeeth, toothName } from "@arcada/contract/kernel/tooth-numbers";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import { translate, translateDynamic, translatorOf } from "../platform/text/texts.ts";
import type { KeyIn, TextFile } from "../platform/text/texts.ts";

/** The texts and tooth numbers of one document. */
export interface DocumentTexts {
  language: Language;
  (key: KeyIn<"report">, values?: Record<string, string | number>): string;
  /** A text from the files of another module. */
  of: <File extends TextFile>(file: File, key: KeyIn<File>, values?: Record<string, string | number>) => string;
  /** The text of a name that the document has recorded; the name itself if there is no text any more. */
  ofName: (file: TextFile, part: string, name: string) => string;
  tooth: (fdi: number) => string;
  teeth: (some: readonly number[]) => string;
  /** In the time zone of the institution that issues the document; the zone is named. */
  time: (instant: string) => string;
}

export const loadDocumentTexts = (language: Language, scheme: ToothScheme, zone: string): DocumentTexts =>
  Object.assign(translatorOf(language, "report"), {
    language,
    of: <File extends TextFile>(file: File, key: KeyIn<File>, values?: Record<string, string | number>) =>
      translate(language, file, key, values),
    ofName: (file: TextFile, part: string, name: string) => translateDynamic(language, file, `${part}.${name}`, name),
    tooth: (fdi: number) => toothName(fdi, scheme),
    teeth: (some: readonly number[]) => formatTeeth(some, scheme).replace(/[\u2066\u2069]/g, ""),
    time: (instant: string) => formatWithZone(zone, instant),
  });
