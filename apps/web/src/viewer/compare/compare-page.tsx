import { SegmentedControl } from "@mantine/core";
import {
  IconArrowsExchange,
  IconContrast2,
  IconContrastFilled,
  IconHandStop,
  IconLink,
  IconRefresh,
  IconRuler3,
} from "@tabler/icons-react";
import { useState } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { type StudyRow } from "@arcada/contract/study/study.schema";
import type { LinkMode } from "@arcada/imaging/view/linked-view";
import { useSearchParams, useSetSearchParams } from "../../browser/navigation.tsx";
import { useTexts, type Translate } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { EmptyState } from "../../ui/page-states.tsx";
import { ViewerBackLink, ViewerPageFrame } from "../ui/page/viewer-page-frame.tsx";
import { useShortcuts } from "../ui/input/shortcuts.ts";
import { NothingToShow } from "../ui/page/status-messages.tsx";
import { SingleModeToolbar } from "../ui/modes/mode-toolbar.tsx";
import type { ViewerTool } from "../ui/modes/viewer-tool.ts";
import { buildPointerTools, buildToolShortcuts, type ToolItems } from "../ui/toolbar/tool-buttons.tsx";
import { buildZoomShortcuts, buildZoomTools } from "../ui/toolbar/zoom-tools.tsx";
import styles from "./compare-page.module.css";
import { CompareViewport, type CompareTool } from "./compare-viewport.tsx";
import { findDefaultComparison, filterComparable, useCompareSide } from "./use-compare-side.ts";
import { useLinkedViews, type LinkedViews } from "./use-linked-views.ts";

/**
 * Two images of a patient side by side: `patient` in the address, `left` and `right` as studies with `leftItem` and
 * `rightItem`.
 */
export function ComparePage() {
  const t = useTexts("viewer");
  const { patient } = useSearchParams();
  if (!patient) return <EmptyState title={t("viewer.compare.noPatient")} />;
  return <Comparison patientId={patient} />;
}

function Comparison({ patientId }: { patientId: string }) {
  const t = useTexts("viewer", "study");
  const name = useCall(patientCalls.detail, { id: patientId }).data?.name;
  const query = useCall(studyCalls.list, { patientId });
  return (
    <QueryResult of={query}>
      {(rows) => (
        <ViewerPageFrame
          back={<ViewerBackLink screen="patientDetail" search={{ id: patientId }} label={t("viewer.backToPatient")} />}
          title={name ?? t("viewer.compare.title")}
          text={name ? t("viewer.compare.title") : ""}
        >
          {filterComparable(rows).length === 0 ? (
            <NothingToShow label={t("viewer.compare.nothing")} />
          ) : (
            <BothSides studies={filterComparable(rows)} />
          )}
        </ViewerPageFrame>
      )}
    </QueryResult>
  );
}

const tools: ToolItems<CompareTool> = [
  { name: "window", icon: IconContrastFilled, keys: "W" },
  { name: "pan", icon: IconHandStop, keys: "H" },
];
const sideNames = ["left", "right"] as const;
type SideName = (typeof sideNames)[number];

function BothSides({ studies }: { studies: readonly StudyRow[] }) {
  const t = useTexts("viewer");
  const search = useSearchParams();
  const setSearch = useSetSearchParams();
  const first = studies.find(({ id }) => id === search.left) ?? studies[0];
  const second = studies.find(({ id }) => id === search.right) ?? (first && findDefaultComparison(studies, first));
  const ids = { left: first?.id, right: second?.id };
  const sides = { left: useCompareSide(ids.left, search.leftItem), right: useCompareSide(ids.right, search.rightItem) };
  const [tool, setTool] = useState<CompareTool>("pan");
  const [isInverted, setInverted] = useState(false);
  const [shownSide, setShownSide] = useState<SideName>("left");
  const hasMm = sideNames.every((name) => (sides[name].image?.picture?.spacing ?? null) !== null);
  const linked = useLinkedViews(hasMm);
  const swap = () =>
    setSearch({ left: ids.right, leftItem: search.rightItem, right: ids.left, rightItem: search.leftItem });
  return (
    <>
      <CompareTools {...{ tool, setTool, isInverted, setInverted, linked, hasMm, swap }} />
      <SegmentedControl
        className={styles.choice}
        size="xs"
        fullWidth
        aria-label={t("viewer.compare.title")}
        value={shownSide}
        onChange={(name) => setShownSide(name as SideName)}
        data={sideNames.map((name) => ({ value: name, label: t(`viewer.compare.${name}`) }))}
      />
      <div className={styles.sides} data-shown={shownSide}>
        {sideNames.map((name) => (
          <CompareViewport
            key={name}
            label={t(`viewer.compare.${name}`)}
            side={sides[name]}
            studies={studies}
            studyId={ids[name]}
            tool={tool}
            isInverted={isInverted}
            linked={linked.forSide(name)}
            onStudy={(id) => setSearch({ [name]: id, [`${name}Item`]: undefined })}
            onItem={(id) => setSearch({ [`${name}Item`]: id })}
          />
        ))}
      </div>
    </>
  );
}

interface ToolsProps {
  tool: CompareTool;
  setTool: (tool: CompareTool) => void;
  isInverted: boolean;
  setInverted: (isInverted: boolean) => void;
  linked: LinkedViews;
  hasMm: boolean;
  swap: () => void;
}

function CompareTools({ tool, setTool, isInverted, setInverted, linked, hasMm, swap }: ToolsProps) {
  const t = useTexts("viewer");
  const invert = () => setInverted(!isInverted);
  const reset = () => {
    linked.fit();
    setInverted(false);
  };
  useShortcuts({
    ...buildToolShortcuts(tools, setTool),
    ...buildZoomShortcuts({ zoom: linked.zoom, fit: linked.fit }),
    K: linked.toggle,
    M: hasMm ? linked.toggleMm : undefined,
    I: invert,
    X: swap,
    Home: reset,
  });
  const pointer = buildPointerTools(t, tools, tool, setTool);
  const [zoomIn, zoomOut, fit] = buildZoomTools(t, { zoom: linked.zoom, fit: linked.fit });
  const bar: ViewerTool[] = [
    ...pointer,
    ...buildLinkTools(t, linked, hasMm),
    { id: "invert", label: t("viewer.invert"), icon: IconContrast2, keys: "I", isOn: isInverted, onPress: invert },
    { id: "swap", label: t("viewer.compare.swap"), icon: IconArrowsExchange, keys: "X", onPress: swap },
    fit,
  ];
  const resetTool = { id: "reset", label: t("viewer.reset"), icon: IconRefresh, keys: "Home", onPress: reset };
  return <SingleModeToolbar bar={bar} more={[zoomIn, zoomOut, resetTool]} />;
}

const buildLinkTools = (t: Translate, linked: LinkedViews, hasMm: boolean): ViewerTool[] => [
  {
    id: "link",
    label: t("viewer.compare.link"),
    icon: IconLink,
    keys: "K",
    isOn: linked.isOn,
    onPress: linked.toggle,
  },
  {
    id: "mm",
    label: t(hasMm ? "viewer.compare.byMm" : "viewer.compare.noMm"),
    icon: IconRuler3,
    keys: "M",
    isOn: linked.unit === ("mm" satisfies LinkMode),
    disabled: !hasMm || !linked.isOn,
    onPress: linked.toggleMm,
  },
];
