import { Alert, Badge, Group, RingProgress, Stack, Table, Text, Title } from "@mantine/core";
import { useState } from "react";
import { getSurfaceName } from "@arcada/contract/chart/surface-name";
import { toothName, formatTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Report } from "@arcada/contract/report/report.calls";
import { isToothUnassessed, toothListNames } from "@arcada/contract/report/report.schema";
import type { ReportContent } from "@arcada/contract/report/report.schema";
import { formatDay } from "../i18n/format.ts";
import { formatStudyKind } from "../i18n/format-recorded-codes.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Section } from "../ui/page.tsx";
import { ReportTracing } from "./report-tracing.tsx";
import classes from "./report.module.css";

/** The content of the report: while it is open, as it would be signed now; afterwards, as it was signed. */
export function ReportPreview({ report }: { report: Report }) {
  const t = useTexts("report", "chart", "study");
  const { content } = report;
  const isOpen = report.state === "draft" || report.state === "in_review";
  return (
    <Section title={t(isOpen ? "report.preview" : "report.title")}>
      <Stack gap="md">
        {isOpen && <Alert color="yellow" title={t("report.draftMark")} />}
        <ScoreSection content={content} />
        <ToothLists content={content} />
        {!isOpen && <WrittenTexts content={content} />}
        <ProblemList content={content} />
        <ReportImages report={report} />
        <Stack gap="md" className={classes.annex}>
          <SectionHeading text={t("report.paper.annex")} />
          <ReportTracing report={report} />
          <EngineList content={content} />
        </Stack>
      </Stack>
    </Section>
  );
}

const SectionHeading = ({ text }: { text: string }) => (
  <Title order={3} size="h5">
    {text}
  </Title>
);

function ScoreSection({ content }: { content: ReportContent }) {
  const t = useTexts("report");
  const { score, why, counts, unknown, milk } = content.score;
  const name = content.signature?.name ?? content.writer;
  return (
    <Group gap="lg" wrap="nowrap" align="center">
      <RingProgress
        size={112}
        thickness={10}
        roundCaps
        flex="none"
        sections={score === null ? [] : [{ value: score, color: "teal" }]}
        label={
          <Text className={classes.score} ta="center">
            {score ?? "–"}
          </Text>
        }
      />
      <div>
        <SectionHeading text={t("report.score.title")} />
        {why && <Text size="sm">{t(`report.score.${why}`, { number: unknown })}</Text>}
        {score !== null && <Text size="sm">{t("report.paper.restsOnChart", { name })}</Text>}
        {score !== null && counts && <Text size="sm">{t("report.score.counts", counts)}</Text>}
        {why === "deciduous" && (
          <Text size="sm">{milk ? t("report.score.milk", milk) : t("report.score.milkUnknown")}</Text>
        )}
        {score !== null && (
          <Text size="xs" c="dimmed">
            {t("report.score.source")} {t("report.paper.inAnnex")}
          </Text>
        )}
      </div>
    </Group>
  );
}

/** The lists of the patient's report; the others are in the annex. */
const patientLists = toothListNames.filter((name) => name !== "permanent" && name !== "deciduous");

function ToothLists({ content }: { content: ReportContent }) {
  const t = useTexts("report");
  // If no tooth was assessed, the lists state nothing. If some were assessed, the lists refer to those alone.
  const { notAssessed, ...values } = content.lists;
  const isEmpty = Object.values(values).every((teeth) => teeth.length === 0);
  const empty = isEmpty ? "tooth.notAssessed" : notAssessed.length > 0 ? "list.noneAssessed" : "list.none";
  const shown = patientLists.filter((name) => name === "problem" || content.lists[name].length > 0);
  return (
    <div>
      <SectionHeading text={t("report.paper.yourTeeth")} />
      <Table>
        <Table.Tbody>
          {shown.map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w="40%">
                {t(`report.list.${name}`)}
              </Table.Th>
              <Table.Td>{formatTeeth(content.lists[name], content.form.scheme) || t(`report.${empty}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function WrittenTexts({ content: { form } }: { content: ReportContent }) {
  const t = useTexts("report");
  return (["examination", "diagnosis", "advice"] as const)
    .filter((name) => form[name] !== "")
    .map((name) => (
      <div key={name}>
        <SectionHeading text={t(`report.form.${name}`)} />
        <Text size="sm" className={classes.written} dir="auto">
          {form[name]}
        </Text>
      </div>
    ));
}

type ProblemLine = ReportContent["form"]["problems"][number];
/** Returns the chart finding of a line of the problem list as text; empty if the line refers to none. */
export const describeProblem = ({ fdi, code, surfaces, severity }: ProblemLine, t: Translate): string =>
  code === null
    ? ""
    : [
        t(`chart.finding.${code}`),
        ...surfaces.map((one) => t(`chart.surface.${getSurfaceName(fdi, one)}`)),
        severity && t(`chart.severity.${severity}`),
      ]
        .filter(Boolean)
        .join(" · ");

function ProblemList({ content: { form, lists } }: { content: ReportContent }) {
  const t = useTexts("report", "chart");
  return (
    <div>
      <SectionHeading text={t("report.form.problems")} />
      {form.problems.length === 0 && (
        <Text size="sm">{t(isToothUnassessed(lists) ? "report.form.teethNotAssessed" : "report.form.noProblems")}</Text>
      )}
      <ul className={classes.problems}>
        {form.problems.map((line) => (
          <li key={line.id}>
            <Text size="sm" component="span">
              {[
                line.fdi === null ? t("report.form.wholeMouth") : toothName(line.fdi, form.scheme),
                describeProblem(line, t),
              ]
                .filter(Boolean)
                .join(" — ")}
              {line.text !== "" && (
                <>
                  {" — "}
                  <bdi>{line.text}</bdi>
                </>
              )}
            </Text>
            {line.plan && (
              <Text size="sm" c="dimmed">
                {t("report.form.plan")}: <bdi>{line.plan}</bdi>
              </Text>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function ReportImages({ report: { id, version, content } }: { report: Report }) {
  const t = useTexts("report", "chart", "study");
  const hasAny = content.images.length + content.toothPictures.length > 0;
  const query = useCall(reportCalls.pictures, { id }, { enabled: hasAny, keepPrevious: true });
  // After a save the known images belong to the version before it, until they are fetched again.
  const [known, setKnown] = useState({ version, before: 0 });
  if (known.version !== version) setKnown({ version, before: query.dataUpdatedAt });
  const isKnown = !query.isFetching && query.dataUpdatedAt > known.before;
  if (!hasAny) return null;
  const { data } = query;
  const getUrl = (instanceId: string, box = "") =>
    data?.find((one) => one.instanceId === instanceId && one.box === box)?.url;
  const shown = [
    ...content.toothPictures.map(({ fdi, instanceId, box, codes }) => ({
      key: `${fdi}`,
      url: getUrl(instanceId, [box.left, box.top, box.right, box.bottom].map((side) => Math.round(side)).join(",")),
      words: `${toothName(fdi, content.form.scheme)} ${codes.map((code) => t(`chart.finding.${code}`)).join(", ")}`,
      small: true,
    })),
    ...content.images.map(({ instanceId, kind, takenAt, caption, turns }) => ({
      key: instanceId,
      url: getUrl(instanceId, turns ? `turned ${turns}` : ""),
      words: [formatStudyKind(t, kind), formatDay(takenAt), caption].filter(Boolean).join(" · "),
      small: false,
    })),
  ];
  return (
    <div data-version={version}>
      <SectionHeading text={t("report.form.images")} />
      <QueryResult of={query}>
        {() => (
          <div className={classes.pictures}>
            {shown.map(({ key, url, words, small }) => (
              <figure key={key} className={small ? classes.small : classes.large}>
                {url ? (
                  <img src={url} alt={words} loading="lazy" />
                ) : (
                  // An image that is still being cut out is not missing.
                  isKnown && <Text size="sm">{t("report.paper.pictureMissing")}</Text>
                )}
                <figcaption>
                  <Text size="xs" c="dimmed">
                    {words}
                  </Text>
                </figcaption>
              </figure>
            ))}
          </div>
        )}
      </QueryResult>
    </div>
  );
}

function EngineList({ content: { engines, measurements, analysisCount } }: { content: ReportContent }) {
  const t = useTexts("report", "analysis", "viewer");
  return (
    <div>
      <SectionHeading text={t("report.paper.engines")} />
      {analysisCount ? <Text size="sm">{t("report.paper.analysisCount", { count: analysisCount })}</Text> : null}
      {engines.length === 0 && <Text size="sm">{t("report.paper.noEngines")}</Text>}
      {[...new Map(engines.map((one) => [`${one.id} ${one.version}`, one]))].map(([name, { level }]) => (
        <Group key={name} gap="xs" wrap="nowrap" align="flex-start">
          <Badge variant="light" color="gray">
            {level}
          </Badge>
          <Text size="sm">
            {name}: {t(`analysis.level.${level}`)}
          </Text>
        </Group>
      ))}
      {measurements.length > 0 && (
        <Text size="xs" c="dimmed">
          {t("report.paper.measurementsSay")}
        </Text>
      )}
      {measurements.some(({ image }) => image?.isLossy) && <Text size="sm">{t("viewer.lossy.measured")}</Text>}
      <Text size="xs" c="dimmed">
        {t("report.paper.notLookedFor")}
      </Text>
    </div>
  );
}
