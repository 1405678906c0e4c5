import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { formatTimestamp } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { PinForm } from "./pin-form.tsx";
import styles from "./pins.module.css";
import type { Pin, Pins } from "./use-pins.ts";

/** Shows the replies to a comment, and the buttons to reply to it, to resolve it or to reopen it. */
export function PinReplies({ pin, pins }: { pin: Pin; pins: Pins }) {
  const t = useTexts("viewer");
  const { reply, settle, mayAdd } = pins;
  const [isWriting, setWriting] = useState(false);
  const answer = async (text: string | null) => {
    if (text === null || (await reply?.(pin.id, text))) setWriting(false);
  };
  return (
    <>
      {pin.replies.length > 0 && (
        <ul className={styles.replies}>
          {pin.replies.map(({ id, who, at, text }) => (
            <li key={id}>
              {text}
              <span className={styles.who}>{[who, formatTimestamp(at)].filter(Boolean).join(" · ")}</span>
            </li>
          ))}
        </ul>
      )}
      {isWriting && (
        <PinForm
          label={t("viewer.model.pins.answerTo", { number: pin.number })}
          start=""
          onAnswer={(text) => void answer(text)}
        />
      )}
      {mayAdd && reply && settle && !isWriting && (
        <Group gap={4}>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={t("viewer.model.pins.answerTo", { number: pin.number })}
            onClick={() => setWriting(true)}
          >
            {t("viewer.model.pins.answer")}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={t(`viewer.model.pins.${pin.isSettled ? "openNumber" : "settleNumber"}`, { number: pin.number })}
            onClick={() => settle(pin.id, !pin.isSettled)}
          >
            {t(`viewer.model.pins.${pin.isSettled ? "open" : "settle"}`)}
          </Button>
        </Group>
      )}
    </>
  );
}
