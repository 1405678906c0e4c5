import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { Spot } from "@arcada/imaging/view/measure";
import { lowerDeciduous, lowerTeeth, toothName, upperDeciduous, upperTeeth } from "@arcada/contract/kernel/tooth";
import { useLook } from "../../kernel/look.ts";
import { useMe } from "../../kernel/session.ts";
import { useTexts } from "../../kernel/texts.ts";
import { writingForm } from "../../kernel/typing.ts";
import { kindOf } from "./kind.ts";
import styles from "./mark-editor.module.css";
import type { Said } from "./use-asking.ts";
import type { DrawnMark } from "./use-drawing.ts";

interface Props {
  mark: DrawnMark;
  /** The position of the annotation's text, in CSS pixels of the viewport. */
  at: Spot;
  onAnswer: (said: Said | null) => void;
}

/** An editor for the text, the tooth or the length of an annotation, beside it. Enter saves, Escape cancels. */
export function MarkEditor({ mark, at, onAnswer }: Props) {
  const asks = kindOf(mark.tool).asks?.for ?? "words";
  const [width, height] = sizes[asks];
  const place = {
    left: `clamp(0px, ${at[0] + 6}px, calc(100% - ${width}px))`,
    top: `clamp(0px, ${at[1] + 6}px, calc(100% - ${height}px))`,
  };
  const isPressed = useRef(false);
  return (
    <div
      className={styles.editor}
      style={place}
      data-holds-press
      onPointerDownCapture={() => (isPressed.current = true)}
      onClickCapture={(event) => {
        // The tap that opened the editor ends in a click on the element now under the finger; keys click with a count
        // of 0.
        if (isPressed.current || event.detail === 0) return;
        event.stopPropagation();
        event.preventDefault();
      }}
    >
      {asks === "words" && <Words mark={mark} onAnswer={onAnswer} />}
      {asks === "mm" && <Length mark={mark} onAnswer={onAnswer} />}
      {asks === "tooth" && <Teeth mark={mark} onAnswer={onAnswer} />}
    </div>
  );
}

/** The largest size of an editor, in CSS pixels: it stays inside the viewport. */
const sizes = { words: [260, 50], mm: [260, 50], tooth: [326, 256] } as const;

type Asked = Omit<Props, "at">;

function Words({ mark, onAnswer }: Asked) {
  const t = useTexts("viewer");
  const label = t("viewer.editor.words");
  return (
    <Line
      label={label}
      start={mark.text ?? ""}
      onAnswer={(words) => onAnswer(words ? { text: words.slice(0, 500) } : null)}
    />
  );
}

function Length({ mark, onAnswer }: Asked) {
  const t = useTexts("viewer");
  const me = useMe();
  const known = mark.settings?.["mm"];
  const answer = (words: string | null) => {
    const mm = Number((words ?? "").replace(",", "."));
    if (!(mm > 0) || mm > 10_000) return onAnswer(null);
    const by = me?.nickName || me?.userName;
    onAnswer({ text: null, settings: { mm, at: new Date().toISOString(), ...(by && { by: by.slice(0, 200) }) } });
  };
  return (
    <Line label={t("viewer.editor.mm")} start={known === undefined ? "" : String(known)} isNumber onAnswer={answer} />
  );
}

interface LineProps {
  label: string;
  start: string;
  isNumber?: boolean;
  onAnswer: (words: string | null) => void;
}

function Line({ label, start, isNumber, onAnswer }: LineProps) {
  const t = useTexts("viewer");
  const [words, setWords] = useState(start);
  // Closing by Escape also blurs the field, which must not submit a second answer.
  const isOver = useRef(false);
  const over = (said: string | null) => {
    if (isOver.current) return;
    isOver.current = true;
    onAnswer(said);
  };
  const kept = words.trim() || null;
  const leave = useRef(() => {});
  useEffect(() => void (leave.current = () => over(kept)));
  // The annotation was scrolled out of sight: an open input would block all drawing.
  useEffect(() => () => leave.current(), []);
  return (
    <form
      {...writingForm}
      className={styles.line}
      onSubmit={(event) => {
        event.preventDefault();
        over(kept);
      }}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || over(kept)}
    >
      <TextInput
        size="xs"
        ref={focused}
        aria-label={label}
        placeholder={label}
        value={words}
        maxLength={isNumber ? 12 : 500}
        inputMode={isNumber ? "decimal" : "text"}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => isEscape(event) && over(null)}
      />
      <Button size="xs" type="submit">
        {t("viewer.editor.keep")}
      </Button>
    </form>
  );
}

/** Stops the key from reaching any other listener. */
function isEscape(event: KeyboardEvent): boolean {
  if (event.key !== "Escape") return false;
  event.stopPropagation();
  return true;
}

/** Focuses the input, so that the user can type at once. */
const focused = (element: HTMLElement | null): void => element?.focus();

/** As seen when facing the patient, each row from the patient's right to the left. */
const half = (row: readonly number[]) => [row.slice(0, row.length / 2), row.slice(row.length / 2)];
const quadrants = {
  permanent: [...half(upperTeeth), ...half(lowerTeeth)],
  deciduous: [...half(upperDeciduous), ...half(lowerDeciduous)],
};
type Teething = keyof typeof quadrants;

function Teeth({ mark, onAnswer }: Asked): ReactNode {
  const t = useTexts("viewer");
  const [teething, setTeething] = useState<Teething>(Number(mark.text) > 50 ? "deciduous" : "permanent");
  const { teeth: scheme } = useLook();
  const first = quadrants[teething][0]?.[0];
  return (
    <div
      className={styles.teeth}
      role="group"
      aria-label={t("viewer.editor.tooth")}
      onKeyDown={(event) => isEscape(event) && onAnswer(null)}
    >
      <SegmentedControl
        size="xs"
        fullWidth
        value={teething}
        onChange={(name) => setTeething(name as Teething)}
        data={(["permanent", "deciduous"] as const).map((value) => ({ value, label: t(`viewer.editor.${value}`) }))}
      />
      {quadrants[teething].map((row) => (
        <div key={row[0]} className={styles.quadrant}>
          {row.map((fdi) => (
            <Button
              key={fdi}
              size="compact-sm"
              className={styles.tooth ?? ""}
              variant={String(fdi) === mark.text ? "filled" : "default"}
              ref={fdi === (Number(mark.text) || first) ? focused : null}
              onClick={() => onAnswer({ text: String(fdi) })}
            >
              {toothName(fdi, scheme)}
            </Button>
          ))}
        </div>
      ))}
      <Button size="xs" variant="subtle" onClick={() => onAnswer(null)}>
        {t("viewer.editor.leave")}
      </Button>
    </div>
  );
}
