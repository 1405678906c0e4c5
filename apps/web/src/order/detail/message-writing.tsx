import { ActionIcon, Stack, Textarea, Tooltip } from "@mantine/core";
import { IconPaperclip, IconSend } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { ClipboardEvent, DragEvent, KeyboardEvent } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { talkRules } from "@arcada/contract/order/talk.rules";
import { useTexts } from "../../kernel/texts.ts";
import { useCommand } from "../../kernel/use-command.ts";
import { FileDropList } from "../../ui/file-drop-list.tsx";
import { AddedFiles } from "../added-files.tsx";
import { useAttaching } from "./use-attaching.ts";
import type { Attaching } from "./use-attaching.ts";
import classes from "./messages.module.css";

/** Text and files for the other side. Files may be chosen, dropped or pasted. */
export function MessageWriting({ id }: { id: string }) {
  const t = useTexts("order", "orderDetail");
  const [typed, setTyped] = useState("");
  const attaching = useAttaching();
  const message = useCommand(orderCalls.message);
  const isEmpty = typed.trim() === "" && attaching.files.length === 0;
  const send = async () => {
    const text = typed.trim();
    if (isEmpty || attaching.isBusy) return;
    const files = attaching.files.map(({ upload }) => upload);
    const sent = await message.run({ id, text, files });
    if (!sent) return;
    setTyped((now) => (now.trim() === text ? "" : now));
    attaching.keep([]);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    attaching.add([...event.dataTransfer.files]);
  };
  return (
    <Stack gap={8} mt="sm" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <FileDropList queue={attaching.queue} bare />
      <AddedFiles files={attaching.files} onChange={attaching.keep} />
      <div className={classes.writing}>
        <AttachButton attaching={attaching} />
        <Words typed={typed} onType={setTyped} onSend={() => void send()} onFiles={attaching.add} />
        <ActionIcon
          variant="subtle"
          size={36}
          aria-label={t("order.detail.messageSend")}
          disabled={isEmpty || attaching.isBusy}
          loading={message.busy}
          onClick={() => void send()}
        >
          <IconSend size={18} aria-hidden />
        </ActionIcon>
      </div>
    </Stack>
  );
}

interface WordsProps {
  typed: string;
  onType: (typed: string) => void;
  onSend: () => void;
  onFiles: (files: File[]) => void;
}
function Words({ typed, onType, onSend, onFiles }: WordsProps) {
  const t = useTexts("order");
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a Chinese word in an input method, which must not send.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    onFiles([...event.clipboardData.files]);
  };
  return (
    <Textarea
      className={classes.words!}
      aria-label={t("order.detail.messageHint")}
      placeholder={t("order.detail.messageHint")}
      description={t("order.detail.messageKeys")}
      inputWrapperOrder={["input", "description"]}
      autosize
      minRows={1}
      maxRows={6}
      maxLength={talkRules.messageMost}
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    />
  );
}

function AttachButton({ attaching }: { attaching: Attaching }) {
  const t = useTexts("orderDetail");
  const input = useRef<HTMLInputElement>(null);
  const label = t("orderDetail.message.attach");
  const limits = { count: talkRules.filesMost, mb: talkRules.fileMegabytes };
  return (
    <>
      <Tooltip label={t("orderDetail.message.attachLimits", limits)}>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} onClick={() => input.current?.click()}>
          <IconPaperclip size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={label}
        onChange={(event) => {
          attaching.add([...(event.currentTarget.files ?? [])]);
          // Reset the input, so that the same file may be chosen again.
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
