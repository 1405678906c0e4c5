import { describe, expect, it } from "vitest";
import { ExchangeError } from "../exchange-error.ts";
import { readIni, writeIni } from "./ini-file.ts";
import { addImageList, readVddsCall, setVddsOutcome } from "./vdds-call.ts";

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");
const callIn = (text: string) => readVddsCall(readIni(latin(text)));

describe("a VDDS-media call", () => {
  it("names the patient in sections and keys of any case", () => {
    const text =
      "; call\r\n[Patient]\r\nPVS=Z1\r\nPATID=4711\r\nLastName=M\xFCller\r\nFIRSTNAME=Anna\r\nSEX=W\r\nBIRTHDAY=19850908\r\n";
    const person = { number: "4711", name: "Müller^Anna", birthDate: "1985-09-08", sex: "female" };
    expect(callIn(text)).toEqual({ kind: "patient", person });
  });

  it("asks for a list by the number alone, and for images by their ids", () => {
    expect(callIn("[PATID]\r\nPVS=Z1\r\nPATID=4711\r\n")).toEqual({ kind: "list", number: "4711" });
    const images = "[MMOIDS]\r\nCOUNT=2\r\nMMOID1=a\r\nmmoid2=b\r\nREADY=0\r\n";
    expect(callIn(images)).toEqual({ kind: "view", ids: ["a", "b"] });
    expect(callIn(`${images}EXT=JPG\r\n`)).toEqual({ kind: "copy", ids: ["a", "b"] });
  });

  it("without a number or with an odd section is none, and changes no object", () => {
    expect(callIn("[PATIENT]\nLASTNAME=A\n")).toBeNull();
    expect(callIn("[__proto__]\npatid=1\n[constructor]\n")).toBeNull();
    expect(callIn("no section\npatid=1")).toBeNull();
    expect(Object.prototype).not.toHaveProperty("patid");
  });

  it("that is no text, too large or has too many lines is refused", () => {
    const bombs = [new Uint8Array(300_000), latin("[A]\0"), latin("[a]\n".repeat(20_000))];
    for (const bytes of bombs) expect(() => readIni(bytes)).toThrow(ExchangeError);
  });

  it("is answered in its own file and first section, READY last", () => {
    const file = readIni(latin("[PATID]\r\nPATID=4711\r\nREADY=0\r\nERRORLEVEL=0\r\n"));
    addImageList(file, [{ id: "x", date: "2026-11-29", time: "10:00", type: "Panorama", comment: "für\nalle" }]);
    setVddsOutcome(file, { level: 3, text: "nichts\r\n[X]" });
    expect(Buffer.from(writeIni(file)).toString("latin1")).toBe(
      [
        "[PATID]",
        "PATID=4711",
        "ERRORLEVEL=3",
        "ERRORTEXT=nichts [X]",
        "READY=1",
        "[MMOS]",
        "COUNT=1",
        "[MMO1]",
        "MMOID=x",
        "DATE=20261129",
        "TIME=10:00",
        "TYPE=Panorama",
        "EXT=JPG",
        "COMMENT=für alle",
        "",
      ].join("\r\n"),
    );
  });
});
