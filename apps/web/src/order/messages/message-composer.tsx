import { ActionIcon, Stack, Tooltip } from "@mantine/core";
import { IconPaperclip, IconSend } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { DragEvent } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { OrderPerson } from "@arcada/contract/order/message-reading-and-pins.calls";
import { messageRules } from "@arcada/contract/order/messages.rules";
import { useTexts } from "../../i18n/texts.ts";
import { useCommand } from "../../data/use-command.ts";
import { FileDropList } from "../../ui/upload/file-progress-list.tsx";
import { AttachedFiles } from "../core/attached-files.tsx";
import { MentionField } from "./mention-field.tsx";
import type { MessageSides } from "./mention-field.tsx";
import { useAttachments } from "./use-attachments.ts";
import type { Attachments } from "./use-attachments.ts";
import classes from "./messages.module.css";

/** Text and files for the other side. Files may be chosen, dropped or pasted. */
export function MessageComposer({ id, sides }: { id: string; sides: MessageSides }) {
  const t = useTexts("order", "orderDetail");
  const [draftText, setDraftText] = useState("");
  const [mentioned, setMentioned] = useState<readonly OrderPerson[]>([]);
  const attachments = useAttachments();
  const message = useCommand(orderCalls.message);
  const isEmpty = draftText.trim() === "" && attachments.files.length === 0;
  const send = async () => {
    const text = draftText.trim();
    if (isEmpty || attachments.isBusy) return;
    const files = attachments.files.map(({ upload }) => upload);
    // A name may have been deleted again after it was chosen.
    const called = mentioned.filter(({ name }) => text.includes(`@${name}`));
    const mentions = [...new Set(called.map((person) => person.id))].slice(0, messageRules.maxMentions);
    const sent = await message.run({ id, text, files, mentions });
    if (!sent) return;
    setDraftText((now) => (now.trim() === text ? "" : now));
    attachments.replace([]);
    setMentioned([]);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    attachments.add([...event.dataTransfer.files]);
  };
  return (
    <Stack gap={8} mt="sm" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <FileDropList queue={attachments.queue} bare />
      <AttachedFiles files={attachments.files} onChange={attachments.replace} />
      <div className={classes.writing}>
        <AttachButton attachments={attachments} />
        <MentionField
          orderId={id}
          sides={sides}
          text={draftText}
          onChange={setDraftText}
          onMention={(person) => setMentioned((now) => [...now, person])}
          onSend={() => void send()}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return;
            event.preventDefault();
            attachments.add([...event.clipboardData.files]);
          }}
        />
        <ActionIcon
          variant="subtle"
          size={36}
          aria-label={t("order.detail.messageSend")}
          disabled={isEmpty || attachments.isBusy}
          loading={message.busy}
          onClick={() => void send()}
        >
          <IconSend size={18} aria-hidden />
        </ActionIcon>
      </div>
    </Stack>
  );
}

function AttachButton({ attachments }: { attachments: Attachments }) {
  const t = useTexts("orderDetail");
  const input = useRef<HTMLInputElement>(null);
  const label = t("orderDetail.message.attach");
  const limits = { count: messageRules.maxFiles, mb: messageRules.fileMegabytes };
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
          attachments.add([...(event.currentTarget.files ?? [])]);
          // Reset the input, so that the same file may be chosen again.
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
