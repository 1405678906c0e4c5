import { expect, it } from "vitest";
import { matchesWildcards } from "@arcada/contract/device/wildcards";
import { isoDate, isoTime, personName } from "@arcada/imaging/dicom/names";
import { recognise } from "@arcada/imaging/recognise";
import { pathAlone, withoutPeople } from "../apps/server/src/account/without-people.ts";
import { boundaryOf } from "../apps/server/src/dicomweb/multipart-read.ts";
import { fold, nameHaystack, nameLines } from "../apps/server/src/dicomweb/names.ts";
import { safeName } from "../apps/server/src/platform/http/archive-routes.ts";
import { parseRange } from "../apps/server/src/platform/http/byte-range.ts";
import { readCursor } from "../apps/server/src/platform/http/list-cursor.ts";
import { isNobody, isSameName, searchForms } from "../apps/server/src/domain/person-names.ts";
import { searchTerms, soundOf } from "../apps/server/src/platform/text/search-terms.ts";
import { languageOf } from "../apps/server/src/platform/text/texts.ts";
import { fieldTexts, workedMs } from "./hostile.ts";

/** A DICOM value's length has 16 bits; the headers of a request are at most 16 KiB, in Node itself. */
const [value, header] = [65_534, 16_384];
const bytes = (text: string) => Buffer.from(text.slice(0, 16_384));
const readers: [name: string, size: number, read: (text: string) => unknown][] = [
  ["a person name", value, personName],
  ["a date", value, isoDate],
  ["a time", value, isoTime],
  ["a folded name", value, fold],
  ["the lines of a name", value, nameLines],
  ["what a name is searched by", value, nameHaystack],
  ["a name beside a record's", value, (text) => isSameName(text, "Li Na")],
  ["a name that is nobody's", value, isNobody],
  ["the forms of a name", value, searchForms],
  ["a file's name", value, safeName],
  ["a report of an error", value, withoutPeople],
  ["the path of a page", value, pathAlone],
  ["the first bytes of an STL file", header, (text) => recognise(bytes(`solid x${text}`), "a", text.length)],
  ["the first bytes of a file", header, (text) => recognise(bytes(text), "a", text.length)],
  ["search words", header, searchTerms],
  ["the sound of a name", header, soundOf],
  ["the languages of a browser", header, languageOf],
  ["a multipart content type", header, (text) => boundaryOf(`multipart/related;${text}`)],
  ["a byte range", header, (text) => parseRange(`bytes=${text}`, 100)],
  ["a cursor", header, readCursor],
  ["a name with wildcards", 1000, (text) => matchesWildcards(`*${text.slice(0, 64)}*b`, text)],
];

// Transliterating a whole Chinese value to Latin letters takes 0.1 s. A quadratic algorithm takes 10 s and more.
const mostMs = 1000;

it.each(readers)("%s of %i hostile characters is read in less than a second", (_, size, read) => {
  const attempt = (text: string) => {
    try {
      read(text);
    } catch {
      // A refusal is an answer, too.
    }
  };
  const slow = fieldTexts(size).filter(({ text }) => workedMs(() => attempt(text), mostMs) >= mostMs);
  expect(slow.map(({ shape }) => shape)).toEqual([]);
});
