import { ActionIcon, Button, Checkbox, Group, Stack, Text, Textarea } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { showTime } from "../../../kernel/format.ts";
import { useTexts } from "../../../kernel/texts.ts";
import side from "../side-panel.module.css";
import { PinTalk } from "./pin-talk.tsx";
import styles from "./pins.module.css";
import type { Pin, Pins } from "./use-pins.ts";

interface Props {
  pins: Pins;
  onShow: (pin: Pin) => void;
}

/** The comments at places of the models, in the order in which they were set. */
export function PinPanel({ pins, onShow }: Props) {
  const t = useTexts("viewer");
  const { draft } = pins;
  return (
    <Stack gap="xs">
      {draft && (
        <PinForm
          key={draft.id ?? "new"}
          label={t("viewer.model.pins.words")}
          start={draft.text}
          onAnswer={pins.answer}
        />
      )}
      {pins.list.length === 0 && !draft && (
        <Text className={side.note ?? ""}>{t(`viewer.model.pins.${pins.mayAdd ? "none" : "noneHere"}`)}</Text>
      )}
      <ol className={styles.list}>
        {pins.list.map((pin) => (
          <li key={pin.id} className={`${styles.row} ${pin.id === pins.chosen ? (styles.chosen ?? "") : ""}`}>
            <PinRow pin={pin} pins={pins} onShow={() => onShow(pin)} />
            <PinTalk pin={pin} pins={pins} />
          </li>
        ))}
      </ol>
      {pins.settled > 0 && (
        <Checkbox
          size="xs"
          label={t("viewer.model.pins.showSettled", { count: pins.settled })}
          checked={pins.showsSettled}
          onChange={(event) => pins.showSettled(event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}

function PinRow({ pin, pins, onShow }: { pin: Pin; pins: Pins; onShow: () => void }) {
  const t = useTexts("viewer");
  return (
    <div className={styles.head}>
      <button type="button" className={styles.words} onClick={onShow}>
        <span className={`${styles.number} ${pin.isSettled ? (styles.settled ?? "") : ""}`}>{pin.number}</span>
        <span>
          {pin.text}
          <span className={styles.who}>
            {[pin.author, pin.at && showTime(pin.at), pin.isSettled && t("viewer.model.pins.settled")]
              .filter(Boolean)
              .join(" · ")}
          </span>
        </span>
      </button>
      {pin.mayChange && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("viewer.model.pins.edit", { number: pin.number })}
          onClick={() => pins.edit(pin.id)}
        >
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      )}
      {pin.mayRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("viewer.model.pins.remove", { number: pin.number })}
          onClick={() => pins.remove(pin.id)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}

interface FormProps {
  label: string;
  start: string;
  /** Null: left as it was. */
  onAnswer: (text: string | null) => void;
}

/** Words at a place; what was asked for can be written at once. */
export function PinForm({ label, start, onAnswer }: FormProps) {
  const t = useTexts("viewer");
  const [words, setWords] = useState(start);
  const keep = () => onAnswer(words.trim() || null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <Textarea
        ref={focused}
        size="xs"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={500}
        label={label}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onAnswer(null);
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) keep();
        }}
      />
      <Group gap={4} mt={6}>
        <Button size="xs" type="submit" disabled={!words.trim()}>
          {t("viewer.model.pins.keep")}
        </Button>
        <Button size="xs" variant="default" onClick={() => onAnswer(null)}>
          {t("viewer.model.pins.leave")}
        </Button>
      </Group>
    </form>
  );
}

const focused = (element: HTMLElement | null): void => element?.focus();
