import { Alert, Anchor, Button, Drawer, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAlertTriangle, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { Study } from "@arcada/contract/study/study.schema";
import { formatBytes, formatTimestamp } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { translateRefusal } from "../data/call-errors.ts";
import { useTexts, translateDynamic } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { StudyKindSelect } from "./study-kind-select.tsx";
import { GuessedNameBadge } from "./guessed-name-badge.tsx";
import { getViewer } from "./study-kinds.ts";
import { ReconvertButton } from "./reconvert-study.tsx";
import { RemoveStudy } from "./remove-study.tsx";
import { StudyThumbnail } from "./study-thumbnail.tsx";
import classes from "./study-drawer.module.css";

interface DrawerProps {
  actions?: ((study: Study) => ReactNode) | undefined;
  onClose: () => void;
}

/** The details of a study: the data from its files, the files themselves, and possible corrections. */
export function StudyDrawer({ id, actions, onClose }: { id: string | null } & DrawerProps) {
  const t = useTexts("study");
  return (
    <Drawer
      opened={id !== null}
      onClose={onClose}
      position="right"
      size={460}
      title={t("study.details")}
      classNames={{ title: classes.title }}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {id && <StudyLoader id={id} actions={actions} onClose={onClose} />}
    </Drawer>
  );
}

function StudyLoader({ id, ...rest }: { id: string } & DrawerProps) {
  const query = useCall(studyCalls.detail, { id });
  return <QueryResult of={query}>{(study) => <StudyDetails study={study} {...rest} />}</QueryResult>;
}

function StudyDetails({ study, actions, onClose }: { study: Study } & DrawerProps) {
  const t = useTexts("study");
  const [isRemoving, removing] = useDisclosure(false);
  return (
    <Stack gap="lg">
      <StudyThumbnail study={study} className={classes.picture} />
      {study.state !== "ready" && (
        <Alert color={study.state === "failed" ? "red" : "blue"} icon={<IconAlertTriangle size={18} />}>
          {t(`study.stateHint.${study.state}`)}
        </Alert>
      )}
      {needsConversion(study) && <ReconvertButton study={study} />}
      <Group grow>
        <Button component={ScreenLink} screen={getViewer(study.kind)} search={{ study: study.id }}>
          {t("study.look")}
        </Button>
        {actions?.(study)}
        <Button variant="default" color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={removing.open}>
          {t("study.removing.action")}
        </Button>
      </Group>
      <StudyKindSelect study={study} />
      <FactRows rows={listFacts(t, study)} />
      {study.named && <NameInFiles person={study.named} />}
      <SeriesList study={study} />
      <Title order={3} size="h4">
        {t("study.header.title")}
      </Title>
      {study.header.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("study.header.empty")}
        </Text>
      ) : (
        <FactRows
          rows={study.header.map(({ key, value }) => [translateDynamic(t, `study.header.${key}`, key), value])}
        />
      )}
      <RemoveStudy study={study} opened={isRemoving} onClose={removing.close} onRemoved={onClose} />
    </Stack>
  );
}

const needsConversion = ({ state, series }: Study): boolean =>
  state === "unconverted" ||
  state === "failed" ||
  (state === "ready" && series.some(({ instances }) => instances.some(({ fault }) => fault !== null)));

type Row = [name: string, value: string];
const listFacts = (t: Translate, study: Study): Row[] => [
  [t("study.fact.taken"), study.takenAt ? formatTimestamp(study.takenAt) : t("study.undated")],
  [t("study.fact.came"), formatTimestamp(study.createdAt)],
  [t("study.fact.size"), `${t("study.files", { count: study.count })} · ${formatBytes(study.bytes)}`],
];

function FactRows({ rows }: { rows: Row[] }) {
  return (
    <Table verticalSpacing={5} horizontalSpacing={0} className={classes.rows}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function NameInFiles({ person: { name, guessed } }: { person: NonNullable<Study["named"]> }) {
  const t = useTexts("study");
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" className={classes.file}>
        {t("study.namedInFiles", { name: name || "–" })}
      </Text>
      {guessed && <GuessedNameBadge />}
    </Group>
  );
}

function SeriesList({ study }: { study: Study }) {
  const t = useTexts("study");
  return (
    <Stack gap="sm">
      <Title order={3} size="h4">
        {t("study.seriesTitle")}
      </Title>
      {study.series.map((series, index) => (
        <div key={series.id} className={classes.series}>
          <Text size="sm" fw={600}>
            {series.description ?? t("study.seriesNumber", { number: index + 1 })}
          </Text>
          <Text size="xs" c="dimmed">
            {[series.modality, t(`study.seriesKind.${series.kind}`), t("study.files", { count: series.count })]
              .filter(Boolean)
              .join(" · ")}
          </Text>
          {series.problems.map(({ code, detail }) => (
            <Text key={code + detail} size="xs" className={classes.problem} title={detail}>
              {translateDynamic(t, `study.problem.${code}`, t("study.problem.other"))}
            </Text>
          ))}
          <FileList series={series} />
        </div>
      ))}
    </Stack>
  );
}

const collapsedFileCount = 5;

function FileList({ series }: { series: Study["series"][number] }) {
  const t = useTexts("study", "refusals");
  const [isAll, setAll] = useState(false);
  const files = isAll ? series.instances : series.instances.slice(0, collapsedFileCount);
  const rest = series.instances.length - files.length;
  return (
    <ul className={classes.files}>
      {files.map(({ id, name, alsoNamed, bytes, originalUrl, fault }) => (
        <li key={id}>
          {originalUrl ? (
            <Anchor
              href={originalUrl}
              download={name}
              size="xs"
              className={classes.file}
              aria-label={t("study.downloadFile", { name })}
            >
              {name}
            </Anchor>
          ) : (
            <Text size="xs" span className={classes.file}>
              {name}
            </Text>
          )}
          <Text size="xs" c="dimmed" span>
            {formatBytes(bytes)}
          </Text>
          {alsoNamed.length > 0 && (
            <Text size="xs" c="dimmed" className={classes.other}>
              {t("study.alsoNamed", { names: alsoNamed.join(", ") })}
            </Text>
          )}
          {fault && (
            <Text size="xs" className={classes.problem}>
              {translateRefusal(t, fault, fault)}
            </Text>
          )}
        </li>
      ))}
      {rest > 0 && (
        <li>
          <Anchor component="button" type="button" size="xs" onClick={() => setAll(true)}>
            {t("study.moreFiles", { count: rest })}
          </Anchor>
        </li>
      )}
    </ul>
  );
}
