import { ActionIcon, Checkbox, Stack, Text } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { formatTimestamp } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import side from "../side-panel.module.css";
import { PinForm } from "./pin-form.tsx";
import { PinReplies } from "./pin-replies.tsx";
import styles from "./pins.module.css";
import type { Pin, Pins } from "./use-pins.ts";

interface Props {
  pins: Pins;
  onShow: (pin: Pin) => void;
}

/** The comments on points of the models, in the order in which they were set. */
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
          onAnswer={pins.submitDraft}
        />
      )}
      {pins.list.length === 0 && !draft && (
        <Text className={side.note ?? ""}>{t(`viewer.model.pins.${pins.mayAdd ? "none" : "noneHere"}`)}</Text>
      )}
      <ol className={styles.list}>
        {pins.list.map((pin) => (
          <li key={pin.id} className={`${styles.row} ${pin.id === pins.chosen ? (styles.chosen ?? "") : ""}`}>
            <PinRow pin={pin} pins={pins} onShow={() => onShow(pin)} />
            <PinReplies pin={pin} pins={pins} />
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
            {[pin.author, pin.at && formatTimestamp(pin.at), pin.isSettled && t("viewer.model.pins.settled")]
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
