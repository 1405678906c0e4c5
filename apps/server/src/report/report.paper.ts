import type { Language } from "@arcada/contract/kernel/languages";
import { plainZone } from "@arcada/contract/kernel/time-zone";
import type { ReportState } from "@arcada/contract/report/report.cycle";
import { isUnassessed } from "@arcada/contract/report/report.shape";
import type { ReportContent } from "@arcada/contract/report/report.shape";
import type { PdfBlock, PdfDocument, PdfFact, PdfImage, PdfPicture } from "../platform/pdf/pdf.ts";
import { cephBlocks, engineBlocks, measurementBlocks } from "./paper.machine.ts";
import { chartBlocks, findingText, listBlocks, perToothBlocks, scoreBlocks } from "./paper.teeth.ts";
import { boxKey, imageKey, isWide, paperSizes, uprightKey } from "./report.pictures.ts";
import { sayIn } from "./report.say.ts";
import type { Say } from "./report.say.ts";

/** Everything on a paper besides the written content. */
export interface Around {
  state: ReportState;
  sha256: string | null;
  /** The reason why the report is no longer valid. */
  ended: { at: string; reason: string } | null;
  nextNumber: string | null;
  logos: { cover: PdfPicture | null; inside: PdfPicture | null };
  /** Keyed by instance and box. */
  pictures: ReadonlyMap<string, PdfPicture>;
}

/** Builds the printed report. Unassessed teeth are printed as such, and an unsigned report says so on each page. */
export function reportPaper(content: ReportContent, around: Around, language: Language): PdfDocument {
  const say = sayIn(language, content.form.scheme, content.institution.timeZone ?? plainZone);
  const warning = warningOf(around, say);
  return {
    language: language === "zh" ? "zh-CN" : "en",
    title: `${say("paper.title")} ${content.number}`,
    author: content.institution.name,
    head: { warning, logo: around.logos.inside },
    foot: [
      content.number,
      content.ceph && content.ceph.rows.length > 0
        ? say("paper.norms", { name: say.of("ceph", `population.${content.ceph.population}`) })
        : "",
      around.sha256 ? `SHA-256 ${around.sha256.slice(0, 16)}…` : say("paper.unsigned"),
      // Last, because a long name displaces what follows it.
      content.patient.name,
    ]
      .filter(Boolean)
      .join(" · "),
    pageOf: say("paper.page"),
    blocks: [
      coverBlock(content, around, warning, say),
      { kind: "title", text: say("paper.title"), aside: content.number },
      { kind: "facts", rows: headRows(content, say) },
      ...scoreBlocks(content, say),
      ...written(say("form.examination"), content.form.examination),
      ...problemBlocks(content, say),
      ...written(say("form.diagnosis"), content.form.diagnosis),
      ...written(say("form.advice"), content.form.advice),
      ...chartBlocks(content, say),
      ...listBlocks(content, say),
      ...toothPictureBlocks(content, around, say),
      ...imageBlocks(content, around, say),
      ...measurementBlocks(content, say),
      ...cephBlocks(content, filmOf(content, around), say),
      ...perToothBlocks(content, say),
      ...engineBlocks(content, say),
      ...signatureBlocks(content, around, say),
    ],
  };
}

function warningOf({ state, ended, nextNumber }: Around, say: Say): string | null {
  if (state === "withdrawn" && ended) return say("paper.withdrawn", { time: say.time(ended.at), reason: ended.reason });
  if (state === "amended") return say("paper.amended", { number: nextNumber ?? "" });
  return state === "signed" ? null : say("draftMark");
}

const filled = (rows: readonly (readonly [string, string | null])[]): PdfFact[] =>
  rows.filter((row): row is PdfFact => Boolean(row[1]));

const coverBlock = (content: ReportContent, { logos }: Around, note: string | null, say: Say): PdfBlock => ({
  kind: "cover",
  text: say("paper.title"),
  aside: content.number,
  logo: logos.cover,
  note,
  rows: filled([
    [say("paper.patient"), content.patient.name],
    [say("paper.patientNumber"), content.patient.number],
    [say("paper.clinic"), content.institution.name],
    [say("paper.dentist"), content.signature?.name ?? content.writer],
    [say("paper.time"), say.time(content.signature?.at ?? content.writtenAt)],
  ]),
});

const headRows = ({ patient, institution, signature, ...content }: ReportContent, say: Say): PdfFact[] =>
  filled([
    [say("paper.patient"), patient.name],
    [say("paper.patientNumber"), patient.number],
    [say("paper.sex"), say.of("common", `sex.${patient.sex}`)],
    [say("paper.birthDate"), patient.birthDate],
    [say("paper.age"), patient.age === null ? null : String(patient.age)],
    [say("paper.entryNumber"), patient.entryNumber],
    [say("paper.clinic"), `${institution.name} (${institution.number})`],
    [say("paper.address"), institution.address],
    [say("paper.contact"), institution.contact],
    [say("paper.time"), say.time(signature?.at ?? content.writtenAt)],
    [say("paper.source"), say(`source.${content.source}`)],
    [say("paper.dentist"), signature?.name ?? content.writer],
    [say("paper.licence"), signature?.licence ?? null],
    [say("paper.corrects"), content.previous],
  ]);

const written = (heading: string, text: string): PdfBlock[] =>
  text === ""
    ? []
    : [
        { kind: "heading", text: heading },
        { kind: "text", text },
      ];

function problemBlocks({ form: { problems }, lists }: ReportContent, say: Say): PdfBlock[] {
  const heading: PdfBlock = { kind: "heading", text: say("paper.problems") };
  if (problems.length === 0) {
    const words = isUnassessed(lists) ? "form.teethNotAssessed" : "paper.noProblems";
    return [heading, { kind: "text", text: say(words) }];
  }
  return [
    heading,
    {
      kind: "table",
      head: [say("paper.tooth"), say("paper.findings")],
      widths: [1, 6],
      rows: problems.map(({ fdi, code, text, ...rest }) => ({
        cells: [
          fdi === null ? say("form.wholeMouth") : say.tooth(fdi),
          code ? findingText({ code, ...rest, remark: text }, say) : text,
        ],
      })),
    },
  ];
}

function toothPictureBlocks({ toothPictures }: ReportContent, { pictures }: Around, say: Say): PdfBlock[] {
  const images = toothPictures.flatMap(({ fdi, instanceId, box, codes }): PdfImage[] => {
    const picture = pictures.get(pictureKey(instanceId, boxKey(box)));
    const names = codes.map((code) => say.of("chart", `finding.${code}`)).join(", ");
    return picture ? [{ ...picture, words: [`${say.tooth(fdi)} ${names}`] }] : [];
  });
  return images.length === 0
    ? []
    : [
        { kind: "heading", text: say("paper.toothPictures"), before: paperSizes.toothHeight + 24 },
        { kind: "images", columns: 4, most: paperSizes.toothHeight, images },
      ];
}

function imageBlocks({ images }: ReportContent, { pictures }: Around, say: Say): PdfBlock[] {
  if (images.length === 0) return [];
  const all = images.map(({ instanceId, kind, takenAt, caption, turns }) => ({
    picture: pictures.get(pictureKey(instanceId, imageKey({ turns }))),
    words: [[say.of("study", `kind.${kind}`), takenAt?.slice(0, 10), caption].filter(Boolean).join(" · ")],
  }));
  const shown = all.flatMap(({ picture, words }) => (picture ? [{ ...picture, words }] : []));
  const [wide, narrow] = [shown.filter(isWide), shown.filter((one) => !isWide(one))];
  return [
    { kind: "heading", text: say("paper.images"), before: imageHeight(shown[0]) },
    ...(wide.length > 0 ? [{ kind: "images", columns: 1, most: paperSizes.wideHeight, images: wide } as const] : []),
    ...(narrow.length > 0
      ? [{ kind: "images", columns: 2, most: paperSizes.halfHeight, images: narrow } as const]
      : []),
    ...all.flatMap(({ picture, words }): PdfBlock[] =>
      picture ? [] : [{ kind: "text", muted: true, text: `${words[0]}: ${say("paper.pictureMissing")}` }],
    ),
  ];
}
const imageHeight = (first: PdfPicture | undefined): number => {
  if (!first) return 0;
  const [width, most] = isWide(first)
    ? [paperSizes.wide, paperSizes.wideHeight]
    : [paperSizes.half, paperSizes.halfHeight];
  return Math.min(most, (first.height * width) / first.width) + 24;
};
const filmOf = ({ ceph }: ReportContent, { pictures }: Around): PdfPicture | null =>
  (ceph?.drawing && pictures.get(pictureKey(ceph.instanceId, uprightKey(ceph.drawing.turns)))) ?? null;
export const pictureKey = (instanceId: string, box: string): string => `${instanceId} ${box}`;

function signatureBlocks({ signature }: ReportContent, { sha256 }: Around, say: Say): PdfBlock[] {
  if (!signature) return [];
  const { name, licence, at } = signature;
  return [
    { kind: "heading", text: say("paper.signature") },
    { kind: "text", text: say("paper.signedText", { name, licence, time: say.time(at) }) },
    { kind: "text", muted: true, text: `${say("hash")}: ${sha256 ?? ""}\n${say("paper.language")}` },
  ];
}
