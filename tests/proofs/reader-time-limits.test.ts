import { expect, it } from "vitest";
import { matchesWildcards } from "@arcada/contract/device/wildcard-matching";
import { toIsoDate, toIsoTime, formatPersonName } from "../../packages/imaging/src/dicom/parse/format-values.ts";
import { detectFileKind } from "@arcada/imaging/file-kind";
import {
  pathWithoutPersonalData,
  removePersonalData,
} from "../../apps/server/src/account/diagnostics/remove-personal-data.ts";
import { readBoundary } from "../../apps/server/src/dicomweb/stow/multipart-reader.ts";
import { foldText, toNameSearchText, toNameLines } from "../../apps/server/src/dicomweb/person-name-search-text.ts";
import { toSafeFileName } from "../../apps/server/src/platform/http/zip-archive-routes.ts";
import { parseRange } from "../../apps/server/src/platform/http/byte-range.ts";
import { readCursor } from "../../apps/server/src/platform/http/list-cursor.ts";
import { isPlaceholderName, isSameName, nameSearchForms } from "../../apps/server/src/domain/match-person-names.ts";
import { searchTerms, phoneticKey } from "../../apps/server/src/platform/text/search-terms.ts";
import { parseLanguage } from "../../apps/server/src/platform/text/texts.ts";
import { hostileFieldTexts, measureCpuMs } from "@arcada/testing/hostile/slow-regex-texts";

/** A DICOM value's length has 16 bits; the headers of a request are at most 16 KiB, in Node itself. */
const [value, header] = [65_534, 16_384];
const bytes = (text: string) => Buffer.from(text.slice(0, 16_384));
const textReaders: [name: string, size: number, read: (text: string) => unknown][] = [
  ["a person name", value, formatPersonName],
  ["a date", value, toIsoDate],
  ["a time", value, toIsoTime],
  ["a folded name", value, foldText],
  ["the lines of a name", value, toNameLines],
  ["what a name is searched by", value, toNameSearchText],
  ["a name beside a record's", value, (text) => isSameName(text, "Li Na")],
  ["a name that is nobody's", value, isPlaceholderName],
  ["the forms of a name", value, nameSearchForms],
  ["a file's name", value, toSafeFileName],
  ["a report of an error", value, removePersonalData],
  ["the path of a page", value, pathWithoutPersonalData],
  ["the first bytes of an STL file", header, (text) => detectFileKind(bytes(`solid x${text}`), "a", text.length)],
  ["the first bytes of a file", header, (text) => detectFileKind(bytes(text), "a", text.length)],
  ["search words", header, searchTerms],
  ["the sound of a name", header, phoneticKey],
  ["the languages of a browser", header, parseLanguage],
  ["a multipart content type", header, (text) => readBoundary(`multipart/related;${text}`)],
  ["a byte range", header, (text) => parseRange(`bytes=${text}`, 100)],
  ["a cursor", header, readCursor],
  ["a name with wildcards", 1000, (text) => matchesWildcards(`*${text.slice(0, 64)}*b`, text)],
];

// Transliterating a whole Chinese value to Latin letters takes 0.1 s. A quadratic algorithm takes 10 s and more.
const limitMs = 1000;

it.each(textReaders)("%s of %i hostile characters is read in less than a second", (_, size, read) => {
  const attempt = (text: string) => {
    try {
      read(text);
    } catch {
      // A refusal is an answer, too.
    }
  };
  const slow = hostileFieldTexts(size).filter(({ text }) => measureCpuMs(() => attempt(text), limitMs) >= limitMs);
  expect(slow.map(({ shape }) => shape)).toEqual([]);
});
