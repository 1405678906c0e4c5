import { analysisCalls, type AnalysisDetail } from "@arcada/contract/analysis/analysis.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { AnalysisReview } from "../analysis/analysis-review.tsx";
import { engineName } from "../analysis/words.ts";
import { showDay } from "../kernel/format.ts";
import { useSearch } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { NotFoundState } from "../ui/states.tsx";
import { Loading, Nothing } from "../viewer/frame/states.tsx";
import { RoomBack, ViewerRoom } from "../viewer/frame/room.tsx";
import { SeenPane, type SeenShape } from "../viewer/picture/seen-pane.tsx";
import { itemsOf } from "../viewer/study-items.ts";

/** An analysis with its image, its findings and the dentist's decisions on them. */
export function Page() {
  const { id } = useSearch();
  const query = useCall(analysisCalls.detail, { id: id ?? "" }, { enabled: id !== undefined });
  if (!id) return <NotFoundState />;
  return <Answer of={query}>{(analysis) => <Room key={analysis.id} analysis={analysis} />}</Answer>;
}

function Room({ analysis }: { analysis: AnalysisDetail }) {
  const t = useTexts("analysis", "chart", "study");
  const { patientId, engine, studyKind, takenAt } = analysis;
  return (
    <ViewerRoom
      back={
        <RoomBack
          screen="patientDetail"
          search={{ id: patientId ?? undefined, tab: "analyses" }}
          label={t("analysis.result.back")}
        />
      }
      title={`${t("analysis.result.title")} · ${engineName(t, engine)} ${engine.version}`}
      text={[t(`study.kind.${studyKind}`), takenAt && showDay(takenAt)].filter(Boolean).join(" · ")}
    >
      <AnalysisReview
        analysis={analysis}
        picture={(shapes, chosen, onChoose) => <Image {...{ analysis, shapes, chosen, onChoose }} />}
      />
    </ViewerRoom>
  );
}

interface ImageProps {
  analysis: AnalysisDetail;
  shapes: readonly SeenShape[];
  chosen: string | null;
  onChoose: (id: string) => void;
}
function Image({ analysis: { studyId, instanceId, artefacts }, ...shown }: ImageProps) {
  const t = useTexts("analysis", "viewer");
  const query = useCall(studyCalls.detail, { id: studyId }, { enabled: instanceId !== null });
  const find = (study: typeof query.data) =>
    study &&
    itemsOf(study).flatMap((item) =>
      item.kind === "picture" && item.instance.id === instanceId ? [item.instance] : [],
    )[0];
  const [made] = artefacts;
  if (made) return <img src={made.url} alt={t(`analysis.code.${made.code}`)} />;
  if (instanceId === null) return <Nothing label={t("analysis.result.noPicture")} />;
  if (query.isPending) return <Loading label={t("viewer.loading.picture")} />;
  const instance = find(query.data);
  if (!instance?.picture) return <Nothing label={t("analysis.result.noPicture")} />;
  return (
    <SeenPane {...shown} instance={instance} renew={async () => find((await query.refetch()).data)?.picture ?? null} />
  );
}
