import { present } from "../require-present.ts";
import { readZip } from "./zip-reader.ts";

/** Returns the XML of the one sheet of a workbook that was downloaded; throws if the answer is no attachment. */
export async function readSheetXml(response: Response): Promise<string> {
  if (!response.headers.get("content-disposition")?.includes("attachment")) throw new Error("not an attachment");
  const files = await readZip(new Uint8Array(await response.arrayBuffer()));
  present(files.get("[Content_Types].xml"), "[Content_Types].xml");
  return present(files.get("xl/worksheets/sheet1.xml"), "xl/worksheets/sheet1.xml").toString();
}
