import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import {
  lowerDeciduous,
  lowerTeeth,
  toothName,
  upperDeciduous,
  upperTeeth,
} from "@arcada/contract/kernel/tooth-numbers";
import { useAppearance } from "../../../browser/appearance.ts";
import { useCurrentUser } from "../../../session/current-user.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { writingFormProps } from "../../../browser/typing-state.ts";
import styles from "./annotation-editor.module.css";
import type { AnnotationInputValue } from "../drawing/use-annotation-input.ts";
import type { DrawnAnnotation } from "../drawing/use-drawing.ts";
import { annotationKindOf } from "../annotation-kind-registry.ts";

interface Props {
  annotation: DrawnAnnotation;
  /** The position of the annotation's text, in CSS pixels of the viewport. */
  at: Point2D;
  onSubmit: (input: AnnotationInputValue | null) => void;
}

/** An editor for the text, the tooth or the length of an annotation, beside it. Enter saves, Escape cancels. */
export function AnnotationEditor({ annotation, at, onSubmit }: Props) {
  const inputKind = annotationKindOf(annotation.tool).input?.for ?? "words";
  const [width, height] = sizes[inputKind];
  const style = {
    left: `clamp(0px, ${at[0] + 6}px, calc(100% - ${width}px))`,
    top: `clamp(0px, ${at[1] + 6}px, calc(100% - ${height}px))`,
  };
  const isPressed = useRef(false);
  return (
    <div
      className={styles.editor}
      style={style}
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
      {inputKind === "words" && <TextForm annotation={annotation} onSubmit={onSubmit} />}
      {inputKind === "mm" && <LengthForm annotation={annotation} onSubmit={onSubmit} />}
      {inputKind === "tooth" && <ToothPicker annotation={annotation} onSubmit={onSubmit} />}
    </div>
  );
}

/** The largest size of an editor, in CSS pixels: it stays inside the viewport. */
const sizes = { words: [260, 50], mm: [260, 50], tooth: [326, 256] } as const;

type FormProps = Omit<Props, "at">;

function TextForm({ annotation, onSubmit }: FormProps) {
  const t = useTexts("viewer");
  const label = t("viewer.editor.words");
  return (
    <InputForm
      label={label}
      start={annotation.text ?? ""}
      onSubmit={(text) => onSubmit(text ? { text: text.slice(0, 500) } : null)}
    />
  );
}

function LengthForm({ annotation, onSubmit }: FormProps) {
  const t = useTexts("viewer");
  const me = useCurrentUser();
  const known = annotation.settings?.["mm"];
  const submitLength = (text: string | null) => {
    const mm = Number((text ?? "").replace(",", "."));
    if (!(mm > 0) || mm > 10_000) return onSubmit(null);
    const by = me?.nickName || me?.userName;
    onSubmit({ text: null, settings: { mm, at: new Date().toISOString(), ...(by && { by: by.slice(0, 200) }) } });
  };
  return (
    <InputForm
      label={t("viewer.editor.mm")}
      start={known === undefined ? "" : String(known)}
      isNumber
      onSubmit={submitLength}
    />
  );
}

interface InputFormProps {
  label: string;
  start: string;
  isNumber?: boolean;
  onSubmit: (text: string | null) => void;
}

function InputForm({ label, start, isNumber, onSubmit }: InputFormProps) {
  const t = useTexts("viewer");
  const [text, setText] = useState(start);
  // Closing by Escape also blurs the field, which must not submit a second answer.
  const isFinished = useRef(false);
  const finish = (input: string | null) => {
    if (isFinished.current) return;
    isFinished.current = true;
    onSubmit(input);
  };
  const trimmed = text.trim() || null;
  const finishOnUnmount = useRef(() => {});
  useEffect(() => void (finishOnUnmount.current = () => finish(trimmed)));
  // The annotation was scrolled out of sight: an open input would block all drawing.
  useEffect(() => () => finishOnUnmount.current(), []);
  return (
    <form
      {...writingFormProps}
      className={styles.line}
      onSubmit={(event) => {
        event.preventDefault();
        finish(trimmed);
      }}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || finish(trimmed)}
    >
      <TextInput
        size="xs"
        ref={focusElement}
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={isNumber ? 12 : 500}
        inputMode={isNumber ? "decimal" : "text"}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => isEscape(event) && finish(null)}
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
const focusElement = (element: HTMLElement | null): void => element?.focus();

/** As seen when facing the patient, each row from the patient's right to the left. */
const splitInHalves = (row: readonly number[]) => [row.slice(0, row.length / 2), row.slice(row.length / 2)];
const quadrants = {
  permanent: [...splitInHalves(upperTeeth), ...splitInHalves(lowerTeeth)],
  deciduous: [...splitInHalves(upperDeciduous), ...splitInHalves(lowerDeciduous)],
};
type Dentition = keyof typeof quadrants;

function ToothPicker({ annotation, onSubmit }: FormProps): ReactNode {
  const t = useTexts("viewer");
  const [dentition, setDentition] = useState<Dentition>(Number(annotation.text) > 50 ? "deciduous" : "permanent");
  const { teeth: scheme } = useAppearance();
  const first = quadrants[dentition][0]?.[0];
  return (
    <div
      className={styles.teeth}
      role="group"
      aria-label={t("viewer.editor.tooth")}
      onKeyDown={(event) => isEscape(event) && onSubmit(null)}
    >
      <SegmentedControl
        size="xs"
        fullWidth
        value={dentition}
        onChange={(name) => setDentition(name as Dentition)}
        data={(["permanent", "deciduous"] as const).map((value) => ({ value, label: t(`viewer.editor.${value}`) }))}
      />
      {quadrants[dentition].map((row) => (
        <div key={row[0]} className={styles.quadrant}>
          {row.map((fdi) => (
            <Button
              key={fdi}
              size="compact-sm"
              className={styles.tooth ?? ""}
              variant={String(fdi) === annotation.text ? "filled" : "default"}
              ref={fdi === (Number(annotation.text) || first) ? focusElement : null}
              onClick={() => onSubmit({ text: String(fdi) })}
            >
              {toothName(fdi, scheme)}
            </Button>
          ))}
        </div>
      ))}
      <Button size="xs" variant="subtle" onClick={() => onSubmit(null)}>
        {t("viewer.editor.leave")}
      </Button>
    </div>
  );
}
