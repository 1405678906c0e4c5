import { Button, Group, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { writingFormProps } from "../../../browser/typing-state.ts";

interface FormProps {
  label: string;
  start: string;
  /** Null: unchanged. */
  onAnswer: (text: string | null) => void;
}

/** A text field at a point; it is focused at once. */
export function PinForm({ label, start, onAnswer }: FormProps) {
  const t = useTexts("viewer");
  const [draft, setDraft] = useState(start);
  const keep = () => onAnswer(draft.trim() || null);
  return (
    <form
      {...writingFormProps}
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <Textarea
        ref={focusElement}
        size="xs"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={500}
        label={label}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onAnswer(null);
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) keep();
        }}
      />
      <Group gap={4} mt={6}>
        <Button size="xs" type="submit" disabled={!draft.trim()}>
          {t("viewer.model.pins.keep")}
        </Button>
        <Button size="xs" variant="default" onClick={() => onAnswer(null)}>
          {t("viewer.model.pins.leave")}
        </Button>
      </Group>
    </form>
  );
}

const focusElement = (element: HTMLElement | null): void => element?.focus();
