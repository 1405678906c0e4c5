import { Alert, List, Stack } from "@mantine/core";
import { useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import type { Chart } from "@arcada/contract/chart/chart.calls";
import { findTooth } from "@arcada/contract/chart/chart.rules";
import type { ChartProblem } from "@arcada/contract/chart/chart.rules";
import type { ChartTooth } from "@arcada/contract/chart/chart.schema";
import { toothSetAtAge } from "@arcada/contract/chart/expected-teeth-at-age";
import type { ToothSet } from "@arcada/contract/chart/expected-teeth-at-age";
import { useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useToothNames } from "../i18n/tooth-notation.ts";
import { useCall } from "../data/use-call.ts";
import { createUuid } from "../browser/unique-id.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DraftNotice } from "../ui/form/draft-notice.tsx";
import { Section } from "../ui/page.tsx";
import { LoadingState } from "../ui/page-states.tsx";
import { rowsBySet } from "../ui/tooth-chart/tooth-chart-layout.ts";
import { ChartConflict } from "./chart-conflict.tsx";
import { editTooth, withAllConfirmed, withConfirmation } from "./chart-edit.ts";
import type { ChartAuthor } from "./chart-edit.ts";
import { ChartHistory } from "./chart-history.tsx";
import { ChartKeysHelp } from "./chart-keys-help.tsx";
import { getEntryOrder, applyKey } from "./chart-keys.ts";
import { ChartActions, TeethSelection } from "./chart-toolbar.tsx";
import { TeethRows, focusTooth, getShownSet } from "./teeth-rows.tsx";
import { HatchPattern } from "./tooth-drawing.tsx";
import { ToothPanel } from "./tooth-panel.tsx";
import { useChartEditor } from "./use-chart-editor.ts";
import type { ChartEditor } from "./use-chart-editor.ts";
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
    <QueryResult of={query} loading={<LoadingState lines={9} />}>
      {(newest) => <LoadedChart patientId={patientId} age={age} newest={newest} />}
    </QueryResult>
  );
}

function LoadedChart({ patientId, age, newest }: PatientChartProps & { newest: Chart }) {
  const t = useTexts("chart");
  const { spoken } = useToothNames();
  const me = useSignedInUser();
  const author: ChartAuthor = { uid: me.id, now: () => new Date().toISOString(), newId: createUuid };
  const editor = useChartEditor(patientId, newest);
  const { content } = editor;
  const [chosen, setSet] = useState(() => toothSetAtAge(age));
  const set = getShownSet(chosen, content);
  const { at, setAt: goTo, keys, panel, page } = useKeyboardEntry(editor, set, author);
  const people = [...newest.people, { id: me.id, name: me.nickName || me.userName }];
  const change = (tooth: ChartTooth) => editor.write(editTooth(content, at, () => tooth));
  return (
    <Stack gap="lg" ref={page}>
      <HatchPattern />
      <SaveNotices editor={editor} newest={newest} />
      <div className={classes.columns}>
        <Section title={t("chart.label")} actions={<TeethSelection set={set} onSet={setSet} />}>
          <Stack gap="md">
            <ChartActions editor={editor} set={set} years={age} author={author} />
            <TeethRows
              content={content}
              set={set}
              at={at}
              changed={editor.changed}
              invalid={editor.problems.map(({ fdi }) => fdi)}
              onSelect={goTo}
              onKey={keys}
            />
            <div data-screen-only>
              <ChartKeysHelp />
            </div>
          </Stack>
        </Section>
        <div
          data-screen-only
          ref={panel}
          role="group"
          aria-label={spoken(at)}
          onKeyDown={(event) => handlePanelEscape(event, page.current, at)}
        >
          <Section>
            <ToothPanel
              key={at}
              patientId={patientId}
              tooth={findTooth(content, at)}
              people={people}
              author={author}
              onChange={change}
              onConfirm={() => editor.write(withConfirmation(content, at, author))}
            />
          </Section>
        </div>
      </div>
      <ChartHistory patientId={patientId} newest={newest} set={set} hasUnsaved={editor.changed.length > 0} />
    </Stack>
  );
}

/** Notices that the user should read before saving. */
function SaveNotices({ editor, newest }: { editor: ChartEditor; newest: Chart }) {
  return (
    <>
      {editor.isRestored && <DraftNotice onStartOver={editor.discard} />}
      {editor.conflict && (
        <ChartConflict
          newest={newest}
          mine={editor.content}
          conflict={editor.conflict}
          onMerge={editor.merge}
          onDiscard={editor.discard}
        />
      )}
      <Problems problems={editor.problems} />
    </>
  );
}

/** Keyboard entry: the current tooth and the function of each key. */
function useKeyboardEntry(editor: ChartEditor, set: ToothSet, author: ChartAuthor) {
  const t = useTexts("chart");
  const { spoken } = useToothNames();
  const order = getEntryOrder(rowsBySet[set]);
  const [last, setAtTooth] = useState(order[0]!);
  const at = order.includes(last) ? last : order[0]!;
  const page = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const command = (event: KeyboardEvent): boolean => {
    if (event.code === "Enter") void editor.save(event.shiftKey ? withAllConfirmed(editor.content, author) : undefined);
    else if (event.code === "KeyY" || (event.code === "KeyZ" && event.shiftKey)) editor.redo();
    else if (event.code === "KeyZ") editor.undo();
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
    const done = applyKey({ content: editor.content, at }, { code: event.code, shift: event.shiftKey }, order, author);
    if (!done) return false;
    if ("unfit" in done)
      toast("info", t("chart.keys.unfit", { tooth: spoken(at), what: t(`chart.finding.${done.unfit}`) }));
    else {
      editor.write(done.content);
      setAtTooth(done.at);
      focusTooth(page.current, done.at);
    }
    return true;
  };
  return { at, setAt: setAtTooth, keys, panel, page };
}

/** Moves the focus from the panel back to its tooth. */
function handlePanelEscape(event: KeyboardEvent, page: ParentNode | null, at: number): void {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  focusTooth(page, at);
}

function Problems({ problems }: { problems: readonly ChartProblem[] }) {
  const t = useTexts("chart");
  const { spoken } = useToothNames();
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
