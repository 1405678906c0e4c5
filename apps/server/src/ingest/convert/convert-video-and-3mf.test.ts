import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";
import { craftZip } from "../archive/crafted-zip.ts";
import { setup } from "@arcada/testing/setup/test-server";

const fixture = (path: string): Uint8Array =>
  readFileSync(new URL(`../../../../../packages/imaging/src/${path}`, import.meta.url));
const video = fixture("video/fixtures/h264.mp4");

async function taken(files: Record<string, Uint8Array>) {
  const env = await setup();
  const patient = await createPatient(env.clinic);
  const job = await uploadStudy(env.clinic, patient, files);
  const studies = await Promise.all(job.studies.map((id) => env.clinic.call("study.detail", { id })));
  return { env, job, studies, refused: Object.fromEntries(job.refused.map((one) => [one.name, one.refusal])) };
}

describe("a video", { timeout: 120_000 }, () => {
  it("is a study of its own, and served in ranges as it came", async () => {
    const { env, studies } = await taken({ "prep.mp4": video });
    expect(studies).toMatchObject([{ kind: "video", kindCertain: true, state: "ready" }]);
    const found = present(studies[0]?.series[0]?.instances[0]?.video, "video");
    expect(found).toMatchObject({ codec: "avc1", seconds: 2, width: 64, height: 48 });
    const range = { headers: { range: "bytes=100-199" } };
    const answer = await fetch(new URL(present(found.url, "url"), env.server.address), range);
    expect(answer.status).toBe(206);
    expect(answer.headers.get("content-type")).toBe("video/mp4");
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), video.subarray(100, 200))).toBe(0);
  });

  it("can be given no other kind", async () => {
    const { env, studies } = await taken({ "prep.mp4": video });
    const wish = { id: present(studies[0]).id, kind: "photo" } as const;
    expect(refusalOf(await env.clinic.ask("study.attach", wish))).toBe("badInput");
  });

  it("that is cut, is sound alone or is none is refused with its reason", async () => {
    const { refused } = await taken({
      "cut.mp4": video.subarray(0, 2000),
      "sound.mp4": fixture("video/fixtures/sound.mp4"),
      "words.mp4": new TextEncoder().encode("no video"),
    });
    expect(refused).toEqual({ "cut.mp4": "fileTruncated", "sound.mp4": "fileUnsupported", "words.mp4": "fileBroken" });
  });
});

const pack = (parts: Record<string, string>): Uint8Array =>
  craftZip(Object.entries(parts).map(([name, text]) => ({ name, data: Buffer.from(text) })));

describe("a 3MF package", { timeout: 120_000 }, () => {
  it("is a scan with its triangles, beside those of other formats", async () => {
    const files = {
      "upper.3mf": fixture("mesh/fixtures/assimp-ellipsoid.3mf"),
      "lower.stl": fixture("mesh/fixtures/assimp-ellipsoid.stl"),
    };
    const { studies } = await taken(files);
    expect(studies).toMatchObject([{ kind: "model", state: "ready" }]);
    const models = studies[0]?.series[0]?.instances.map(({ model }) => model) ?? [];
    expect(models.map((model) => [model?.format, model?.triangles, model?.jaw])).toEqual([
      ["3mf", 168, "upper"],
      ["stl", 168, "lower"],
    ]);
  });

  it("that is broken, expands too far or needs an extension is refused with its reason", async () => {
    const model = (attributes: string) =>
      pack({
        "_rels/.rels": `<Relationships><Relationship Target="/3D/a.model" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>`,
        "3D/a.model": `<model xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02" ${attributes}></model>`,
      });
    const { refused } = await taken({
      "broken.3mf": new TextEncoder().encode("PK\u0003\u0004 and then words"),
      "bomb.3mf": pack({ "3D/a.model": " ".repeat(30_000_000) }),
      "beams.3mf": model(`xmlns:b="urn:beams" requiredextensions="b"`),
    });
    expect(refused).toEqual({
      "broken.3mf": "fileBroken",
      "bomb.3mf": "fileBomb",
      "beams.3mf": "fileUnsupported",
    });
  });
});
