import { Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { landmarkLabel, nameAnalysis } from "@arcada/analysis/ceph/literature-labels";
import type { CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { landmarkRegions, referenceLandmarks } from "@arcada/analysis/ceph/landmarks";
import { patientMmPerPixel } from "@arcada/analysis/ceph/normalised-tracing";
import { computeOutlines } from "@arcada/analysis/ceph/anatomical-outlines";
import { landmarkErrors } from "@arcada/analysis/head-fit/measured-errors";
import { formatNumber } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import styles from "./ceph.module.css";
import { guideSets, type LandmarkGuide } from "./use-landmark-guide.ts";
import type { RadiographReading } from "./use-radiograph-reading.ts";
import type { Tracing } from "./use-tracing.ts";

interface Props {
  tracing: Tracing;
  guide: LandmarkGuide;
  analysis: CephAnalysis;
  reading: RadiographReading;
  /** Puts the active landmark at its likely place. */
  onPlaceAtEstimate: () => void;
}

/** Shows the landmark to be placed next, with its definition and location, and all landmarks to choose from. */
export function LandmarkGuidePanel({ tracing, guide, analysis, reading, onPlaceAtEstimate }: Props) {
  const t = useTexts("ceph");
  const { landmarks: placed } = tracing.content;
  const { active, landmarks } = guide;
  const analysisName = nameAnalysis(analysis, (name) => t(`ceph.analysis.${name}`));
  const count = landmarks.filter(({ id }) => placed[id]).length;
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t("ceph.guide.set")}
        value={guide.landmarkSet}
        onChange={(set) => guide.chooseSet(set)}
        data={guideSets.map((set) => ({ value: set, label: t(`ceph.guide.${set}`, { analysis: analysisName }) }))}
      />
      <Group wrap="nowrap" align="flex-start" gap="sm">
        {active && (
          <LandmarkHeadDrawing landmark={active} label={t("ceph.guide.where", { sign: landmarkLabel(active) })} />
        )}
        <Stack gap={6} flex={1} miw={0} role="status">
          <Text fw={600}>{active ? t("ceph.guide.next", { sign: landmarkLabel(active) }) : t("ceph.guide.done")}</Text>
          {active && <Text size="sm">{t(`ceph.landmark.${active}`)}</Text>}
          <Text size="xs" c="dimmed">
            {t("ceph.guide.count", { placed: count, all: landmarks.length })}
          </Text>
        </Stack>
      </Group>
      <GuideActions {...{ tracing, guide, reading, onPlaceAtEstimate }} isComplete={count === landmarks.length} />
      <LandmarkList guide={guide} placed={placed} />
      <Text size="xs" c="dimmed">
        {t("ceph.guide.keys")} {t("ceph.schematic")}
      </Text>
    </Stack>
  );
}

/** The steps for the active landmark: confirm what is suggested, skip it, go on, or remove it. */
function GuideActions({
  tracing,
  guide,
  reading,
  onPlaceAtEstimate,
  isComplete,
}: Omit<Props, "analysis"> & { isComplete: boolean }) {
  const t = useTexts("ceph");
  const { landmarks: placed } = tracing.content;
  const { active } = guide;
  const isSuggested = active !== null && reading.suggestions[active] !== undefined && !placed[active];
  return (
    <>
      {isSuggested && (
        <Text size="xs" c="dimmed">
          <SuggestionSource {...{ active, reading }} calibration={tracing.content.calibration} />
        </Text>
      )}
      <Group gap="xs">
        {isSuggested && (
          <Button size="xs" onClick={onPlaceAtEstimate}>
            {t("ceph.guide.take")}
          </Button>
        )}
        {active && !placed[active] ? (
          <Button size="xs" variant="default" onClick={guide.next}>
            {t("ceph.guide.skip")}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={guide.next} disabled={isComplete}>
            {t("ceph.guide.missing")}
          </Button>
        )}
        {active && placed[active] && (
          <Button size="xs" variant="subtle" color="red" onClick={() => tracing.remove(active)}>
            {t("ceph.guide.remove")}
          </Button>
        )}
      </Group>
    </>
  );
}

interface SourceProps {
  active: CephLandmark;
  reading: RadiographReading;
  calibration: Tracing["content"]["calibration"];
}

/** Tells who suggests the position, and how far off it may be. */
function SuggestionSource({ active, reading, calibration }: SourceProps) {
  const t = useTexts("ceph");
  if (reading.fittedLandmarks.has(active))
    return t("ceph.guide.fitted", { mm: formatNumber(landmarkErrors[active] ?? 0, 1) });
  const spread = reading.spreads[active];
  if (spread === undefined) return t("ceph.guide.byEngine");
  // Without a scale the ring alone shows how large the doubt is.
  if (calibration === null) return t("ceph.guide.byEngineInRing");
  return t("ceph.guide.byEngineWithin", { mm: formatNumber(spread * patientMmPerPixel(calibration), 1) });
}

const headOutlines = computeOutlines(referenceLandmarks).filter(({ tissue }) => tissue !== "plane");
const toSvgPath = (points: readonly (readonly [number, number])[]): string =>
  `M${points.map((point) => point.join(",")).join(" ")}`;

/** A drawn head with one landmark on it. */
function LandmarkHeadDrawing({ landmark, label }: { landmark: CephLandmark; label: string }) {
  const [x, y] = referenceLandmarks[landmark];
  return (
    <svg className={styles.head} viewBox="-58 -112 146 172" role="img" aria-label={label}>
      {headOutlines.map(({ name, points }) => (
        <path key={name} d={toSvgPath(points)} />
      ))}
      <circle cx={x} cy={y} r={4.5} />
    </svg>
  );
}

/** All landmarks of the set by their region; a pressed one is placed or corrected next. */
function LandmarkList({ guide, placed }: { guide: LandmarkGuide; placed: Tracing["content"]["landmarks"] }) {
  const t = useTexts("ceph");
  return landmarkRegions.map((region) => {
    const landmarks = guide.landmarks.filter((landmark) => landmark.region === region);
    if (landmarks.length === 0) return null;
    return (
      <div key={region}>
        <Text size="xs" c="dimmed" mb={4} id={`landmarks-${region}`}>
          {t(`ceph.region.${region}`)}
        </Text>
        <ul className={styles.list} aria-labelledby={`landmarks-${region}`}>
          {landmarks.map(({ id }) => (
            <li key={id}>
              <Button
                size="compact-sm"
                fullWidth
                px={2}
                variant={id === guide.active ? "filled" : placed[id] ? "light" : "default"}
                aria-pressed={id === guide.active}
                aria-label={`${landmarkLabel(id)} ${t(placed[id] ? "ceph.guide.placed" : "ceph.guide.open")}`}
                title={t(`ceph.landmark.${id}`)}
                leftSection={placed[id] && <IconCheck size={13} aria-hidden />}
                onClick={() => guide.select(id)}
              >
                {landmarkLabel(id)}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}
