import { describe, expect, it } from "vitest";
import { readLaunchAddress, readLaunchDay, toRecordName } from "./launch-address.ts";

const read = (query: string) => readLaunchAddress(new URLSearchParams(query));

describe("a launch address", () => {
  it("names a patient by the parameters of IHE Invoke Image Display in any case", () => {
    expect(read("REQUESTTYPE=patient&PatientId=4711^^^CLINIC&viewerType=x")).toEqual({
      request: { person: { number: "4711", name: "", birthDate: null, sex: null } },
    });
  });

  it("names a study by a UID, several with commas or semicolons, or by an accession number", () => {
    expect(read("requestType=STUDY&studyUID=1.2.3;1.2.4,1.2.5")).toEqual({
      request: { studies: ["1.2.3", "1.2.4", "1.2.5"] },
    });
    expect(read("requestType=STUDY&accessionNumber=A1&patientID=7")).toEqual({ request: { accession: "A1" } });
  });

  it("names a patient by the practice's number with name, birth date and sex", () => {
    expect(read("practiceNumber=88&lastName=Müller&firstName=Anna&birthDate=19850908&sex=W")).toEqual({
      request: { person: { number: "88", name: "Müller^Anna", birthDate: "1985-09-08", sex: "female" } },
    });
  });

  it("limits the newest images and their times", () => {
    expect(
      read("requestType=PATIENT&patientID=1&mostRecentResults=3&lowerDateTime=20240102&upperDateTime=2024-05-06T07:08"),
    ).toMatchObject({ request: { newest: 3, from: "2024-01-02T00:00:00", to: "2024-05-06T07:08:00" } });
  });

  it.each([
    ["", "nothing"],
    ["requestType=SERIES&patientID=1", "requestType"],
    ["requestType=PATIENT&studyUID=1.2", "patientMissing"],
    ["requestType=STUDY&patientID=1", "studyMissing"],
    ["requestType=STUDY&studyUID=1.2&accessionNumber=3", "studyTwice"],
    ["practiceNumber=[PatNum]", "nothing"],
    ["lastName=Müller", "nothing"],
    ["requestType=STUDY&studyUID=1.2%27--", "value"],
    [`practiceNumber=${"9".repeat(65)}`, "value"],
    ["requestType=PATIENT&patientID=1&lowerDateTime=yesterday", "value"],
    ["requestType=PATIENT&patientID=1&mostRecentResults=0", "value"],
    [`requestType=STUDY&studyUID=${Array.from({ length: 21 }, (_, at) => `1.${at}`).join(",")}`, "value"],
  ])("%s is refused: %s", (query, problem) => {
    expect(read(query)).toMatchObject({ problem });
  });

  it("reads no birth date whose order of day and month is not certain", () => {
    expect(["08.09.1985", "1985-09-08", "19850908"].map(readLaunchDay)).toEqual(Array(3).fill("1985-09-08"));
    expect(["08/09/1985", "19850931", "85-09-08", ""].map(readLaunchDay)).toEqual(Array(4).fill(null));
  });

  it("turns a name in DICOM form into the name of a record", () => {
    expect(["Müller^Anna", "王^小明", "Anna Müller", "王小明=x"].map(toRecordName)).toEqual([
      "Anna Müller",
      "王小明",
      "Anna Müller",
      "王小明",
    ]);
  });
});
