import { Alert, List, Stack } from "@mantine/core";
import { useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import type { Chart } from "@arcada/contract/chart/chart.calls";
import { toothIn } from "@arcada/contract/chart/chart.rules";
import type { ChartProblem } from "@arcada/contract/chart/chart.rules";
import type { ChartTooth } from "@arcada/contract/chart/chart.shape";
import { setAt } from "@arcada/contract/chart/dentition";
import type { ToothSet } from "@arcada/contract/chart/dentition";
import { useUser } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useTeeth } from "../kernel/tooth.ts";
import { useCall } from "../kernel/use-call.ts";
import { uniqueId } from "../kernel/unique.ts";
import { Answer } from "../ui/answer.tsx";
import { DraftFound } from "../ui/draft-found.tsx";
import { Section } from "../ui/page.tsx";
import { LoadingState } from "../ui/states.tsx";
import { rowsOfSet } from "../ui/tooth-chart-shapes.ts";
import { ChartConflict } from "./chart-conflict.tsx";
import { edited, withAllConfirmed, withConfirmation } from "./chart-edit.ts";
import type { Hand } from "./chart-edit.ts";
import { ChartHistory } from "./chart-history.tsx";
import { ChartKeysHelp } from "./chart-keys-help.tsx";
import { entryOrder, typed } from "./chart-keys.ts";
import { ChartActions, ShownTeeth } from "./chart-toolbar.tsx";
import { TeethRows, focusTooth, shownSet } from "./teeth-rows.tsx";
import { Hatching } from "./tooth-drawing.tsx";
import { ToothPanel } from "./tooth-panel.tsx";
import { useChartWriting } from "./use-chart.ts";
import type { ChartWriting } from "./use-chart.ts";
import classes from "./patient-chart.module.css";

interface PatientChartProps {
  patientId: string;
  /** Whole years; null: unknown. */
  age: number | null;
}

/** The chart of a patient's teeth: presence, crown codes and findings; entered by mouse, touch or keyboard alone. */
export function PatientChart({ patientId, age }: PatientChartProps) {
  const query = useCall(chartCalls.detail, { patientId });
  return (
    <Answer of={query} waiting={<LoadingState lines={9} />}>
      {(newest) => <Writing patientId={patientId} age={age} newest={newest} />}
    </Answer>
  );
}

function Writing({ patientId, age, newest }: PatientChartProps & { newest: Chart }) {
  const t = useTexts("chart");
  const { spoken } = useTeeth();
  const me = useUser();
  const hand: Hand = { uid: me.id, now: () => new Date().toISOString(), newId: uniqueId };
  const writing = useChartWriting(patientId, newest);
  const { content } = writing;
  const [chosen, setSet] = useState(() => setAt(age));
  const set = shownSet(chosen, content);
  const { at, setAt: goTo, keys, panel, page } = useEntry(writing, set, hand);
  const people = [...newest.people, { id: me.id, name: me.nickName || me.userName }];
  const change = (tooth: ChartTooth) => writing.write(edited(content, at, () => tooth));
  return (
    <Stack gap="lg" ref={page}>
      <Hatching />
      <BeforeSaving writing={writing} newest={newest} />
      <div className={classes.columns}>
        <Section title={t("chart.label")} actions={<ShownTeeth set={set} onSet={setSet} />}>
          <Stack gap="md">
            <ChartActions writing={writing} set={set} years={age} hand={hand} />
            <TeethRows
              content={content}
              set={set}
              at={at}
              changed={writing.changed}
              wrong={writing.problems.map(({ fdi }) => fdi)}
              onAt={goTo}
              onKey={keys}
            />
            <ChartKeysHelp />
          </Stack>
        </Section>
        <div
          ref={panel}
          role="group"
          aria-label={spoken(at)}
          onKeyDown={(event) => leavePanel(event, page.current, at)}
        >
          <Section>
            <ToothPanel
              key={at}
              tooth={toothIn(content, at)}
              people={people}
              hand={hand}
              onChange={change}
              onConfirm={() => writing.write(withConfirmation(content, at, hand))}
            />
          </Section>
        </div>
      </div>
      <ChartHistory patientId={patientId} newest={newest} set={set} hasUnsaved={writing.changed.length > 0} />
    </Stack>
  );
}

/** Notices that the user should read before saving. */
function BeforeSaving({ writing, newest }: { writing: ChartWriting; newest: Chart }) {
  return (
    <>
      {writing.isFound && <DraftFound onStartOver={writing.discard} />}
      {writing.meeting && (
        <ChartConflict
          newest={newest}
          mine={writing.content}
          meeting={writing.meeting}
          onJoin={writing.join}
          onDiscard={writing.discard}
        />
      )}
      <Problems problems={writing.problems} />
    </>
  );
}

/** Keyboard entry: the current tooth and the function of each key. */
function useEntry(writing: ChartWriting, set: ToothSet, hand: Hand) {
  const t = useTexts("chart");
  const { spoken } = useTeeth();
  const order = entryOrder(rowsOfSet[set]);
  const [last, setAtTooth] = useState(order[0]!);
  const at = order.includes(last) ? last : order[0]!;
  const page = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const command = (event: KeyboardEvent): boolean => {
    if (event.code === "Enter") void writing.save(event.shiftKey ? withAllConfirmed(writing.content, hand) : undefined);
    else if (event.code === "KeyY" || (event.code === "KeyZ" && event.shiftKey)) writing.redo();
    else if (event.code === "KeyZ") writing.undo();
    else return false;
    return true;
  };
  const keys = (event: KeyboardEvent): boolean => {
    if (event.altKey) return false;
    if (event.ctrlKey || event.metaKey) return command(event);
    if (event.code === "Enter") {
      panel.current?.querySelector<HTMLElement>("button, input")?.focus();
      return true;
    }
    const done = typed({ content: writing.content, at }, { code: event.code, shift: event.shiftKey }, order, hand);
    if (!done) return false;
    if ("unfit" in done)
      toast("info", t("chart.keys.unfit", { tooth: spoken(at), what: t(`chart.finding.${done.unfit}`) }));
    else {
      writing.write(done.content);
      setAtTooth(done.at);
      focusTooth(page.current, done.at);
    }
    return true;
  };
  return { at, setAt: setAtTooth, keys, panel, page };
}

/** Moves the focus from the panel back to its tooth. */
function leavePanel(event: KeyboardEvent, page: ParentNode | null, at: number): void {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  focusTooth(page, at);
}

function Problems({ problems }: { problems: readonly ChartProblem[] }) {
  const t = useTexts("chart");
  const { spoken } = useTeeth();
  if (problems.length === 0) return null;
  return (
    <Alert color="red" variant="light" title={t("chart.cannot")} role="alert">
      <List size="sm">
        {problems.map(({ fdi, problem, code }) => (
          <List.Item key={`${fdi} ${problem} ${code}`}>
            {t("chart.spoken", {
              tooth: spoken(fdi),
              what: t(`chart.problem.${problem}`, { finding: code ? t(`chart.finding.${code}`) : "" }),
            })}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
