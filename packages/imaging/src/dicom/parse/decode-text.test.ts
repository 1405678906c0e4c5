import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTextDecoder } from "./decode-text.ts";
import { readDicomHeader } from "./dicom-header.ts";
import { toIsoDate, toIsoTime, formatPersonName } from "./format-values.ts";
import { readDicom } from "./read-dicom.ts";

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe("text of a DICOM value", () => {
  it("changes sets at escapes and goes back at a delimiter", () => {
    const read = createTextDecoder(["", "ISO 2022 IR 58"]);
    expect(read(bytes("Zhang^XiaoDong=\x1b$)A\xd5\xc5^\x1b$)A\xd0\xa1\xb6\xab="))).toBe("Zhang^XiaoDong=张^小东=");
    expect(createTextDecoder(["ISO 2022 IR 100", "ISO 2022 IR 144"])(bytes("\xe9^\x1b-L\xb6^\xe9"))).toBe("é^Ж^é");
  });

  it("keeps a backslash inside a Chinese character from splitting the value", () => {
    expect(createTextDecoder(["GBK"])(bytes("\x90\x5c"))).toBe("怽");
  });

  it("reads undeclared bytes as UTF-8, as Chinese or as Latin, whichever they can be", () => {
    expect(createTextDecoder([])(new TextEncoder().encode("王伟"))).toBe("王伟");
    expect(createTextDecoder([])(bytes("\xcd\xf5\xce\xb0"))).toBe("王伟");
    expect(createTextDecoder([])(bytes("J\xe9r\xf4me"))).toBe("Jérôme");
  });

  it("is guessed, and marked as guessed, if the declared set cannot be the true one", () => {
    const name = "\xd5\xc5^\xce\xb0";
    const cases: [string[], Uint8Array, string, boolean][] = [
      [[], bytes(name), "张^伟", true],
      [["ISO_IR 192"], bytes(name), "张^伟", true],
      [["ISO_IR 100"], bytes(`Zhang^Wei=${name}`), "Zhang^Wei=张^伟", true],
      [["ISO_IR 100"], new TextEncoder().encode("张^伟"), "张^伟", true],
      [["ISO_IR 100"], bytes("\xc4neas^R\xfcdiger"), "Äneas^Rüdiger", false],
      [["ISO_IR 100"], bytes("\xd6z^\xc5sa"), "Öz^Åsa", false],
      [["GB18030"], bytes(name), "张^伟", false],
      [["ISO_IR 192"], new TextEncoder().encode("张^伟"), "张^伟", false],
      [[], bytes("Zhang^Wei"), "Zhang^Wei", false],
    ];
    for (const [sets, value, text, guess] of cases) {
      const read = createTextDecoder(sets);
      expect([sets, read(value), read.isGuess(value)]).toEqual([sets, text, guess]);
    }
  });

  it("is read in every single-byte set", () => {
    const letters: [string, string, string][] = [
      ["ISO_IR 101", "\xa3", "Ł"],
      ["ISO_IR 109", "\xa1", "Ħ"],
      ["ISO_IR 110", "\xa5", "Ĩ"],
      ["ISO_IR 144", "\xb6", "Ж"],
      ["ISO_IR 127", "\xc8", "ب"],
      ["ISO_IR 126", "\xc4", "Δ"],
      ["ISO_IR 138", "\xf9", "ש"],
      ["ISO_IR 148", "\xdd", "İ"],
      ["ISO_IR 166", "\xa1", "ก"],
      ["ISO_IR 13", "\xd4", "ﾔ"],
      ["ISO_IR 203", "\xa4", "€"],
    ];
    for (const [set, letter, text] of letters)
      expect([set, createTextDecoder([set])(bytes(letter))]).toEqual([set, text]);
  });

  it("is shown with the ideographic name first", () => {
    expect(formatPersonName("Wang^XiaoDong=王^小东")).toBe("王小东");
    expect(formatPersonName("Buc^Jérôme")).toBe("Buc Jérôme");
    expect(formatPersonName("^^=^=")).toBe("");
  });

  it("gives calendar days and times, or null", () => {
    expect(["20190228", "2019.02.28", "20190230", ""].map(toIsoDate)).toEqual(["2019-02-28", "2019-02-28", null, null]);
    expect(["113008.5", "11", "2460"].map(toIsoTime)).toEqual(["11:30:08", "11:00:00", null]);
  });
});

const data = process.env["ARCADA_TEST_DATA"] ?? "../shared/data";
const nameIn = (path: string) => readDicomHeader(readDicom(readFileSync(join(data, path)))).patientName;

describe.skipIf(!existsSync(join(data, "dicom-charsets")))(
  "real files in every character set (ARCADA_TEST_DATA)",
  () => {
    it.each([
      ["dicom-charsets/chrArab.dcm", "قباني^لنزار"],
      ["dicom-charsets/chrFren.dcm", "Buc^Jérôme"],
      ["dicom-charsets/chrFrenMulti.dcm", "Buc^Jérôme"],
      ["dicom-charsets/chrGerm.dcm", "Äneas^Rüdiger"],
      ["dicom-charsets/chrJapMulti.dcm", "やまだ^たろう"],
      ["dicom-charsets/chrJapMultiExplicitIR6.dcm", "やまだ^たろう"],
      ["dicom-charsets/chrGreek.dcm", "Διονυσιος"],
      ["dicom-charsets/chrH31.dcm", "Yamada^Tarou=山田^太郎=やまだ^たろう"],
      ["dicom-charsets/chrH32.dcm", "ﾔﾏﾀﾞ^ﾀﾛｳ=山田^太郎=やまだ^たろう"],
      ["dicom-charsets/chrHbrw.dcm", "שרון^דבורה"],
      ["dicom-charsets/chrI2.dcm", "Hong^Gildong=洪^吉洞=홍^길동"],
      ["dicom-charsets/chrKoreanMulti.dcm", "김희중"],
      ["dicom-charsets/chrRuss.dcm", "Люкceмбypг"],
      ["dicom-charsets/chrX1.dcm", "Wang^XiaoDong=王^小東="],
      ["dicom-charsets/chrX2.dcm", "Wang^XiaoDong=王^小东="],
      ["dicom-gb2312/GB18030-GH1301.dcm", "Wang^XiaoDong=王^小东="],
      ["dicom-gb2312/chrGB2312.dcm", "Zhang^XiaoDong=张^小东="],
    ])("%s names %s", (path, name) => {
      expect(nameIn(path)).toBe(name);
    });

    it.each(["chrSQEncoding", "chrSQEncoding1"])(
      "a sequence item uses its own character set or the file's: %s",
      (name) => {
        const file = readDicom(readFileSync(join(data, `dicom-charsets/${name}.dcm`)));
        expect(file.sequence("x00321064")[0]?.text("x00100010")).toBe("ﾔﾏﾀﾞ^ﾀﾛｳ=山田^太郎=やまだ^たろう");
      },
    );
  },
);
