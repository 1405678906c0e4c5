import { Combobox, Text, Textarea, useCombobox } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { ClipboardEvent, KeyboardEvent, RefObject } from "react";
import { messageCalls } from "@arcada/contract/order/message-reading-and-pins.calls";
import type { OrderPerson } from "@arcada/contract/order/message-reading-and-pins.calls";
import { messageRules } from "@arcada/contract/order/messages.rules";
import { useCall } from "../../data/use-call.ts";
import { useTexts } from "../../i18n/texts.ts";
import { findOpenMention, matchPeople } from "./open-mention.ts";
import type { OpenMention } from "./open-mention.ts";
import classes from "./messages.module.css";

export interface MessageSides {
  own: string;
  other: string;
}
interface Props {
  orderId: string;
  /** The names of the two organisations. */
  sides: MessageSides;
  text: string;
  onChange: (text: string) => void;
  onMention: (person: OrderPerson) => void;
  onSend: () => void;
  onPaste: (event: ClipboardEvent) => void;
}

/**
 * The text of a message. An @ offers the people who can see the order; the arrow keys choose, Enter takes the name, and
 * Escape goes on writing.
 */
export function MentionField({ orderId, sides, text, onChange, onMention, onSend, onPaste }: Props) {
  const t = useTexts("order", "orderDetail");
  const field = useRef<HTMLTextAreaElement>(null);
  const mention = useMention(field, { orderId, text, onChange, onMention });
  const { isOpen, found, combobox } = mention;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && isOpen) {
      event.stopPropagation();
      mention.close();
    }
    // Enter also confirms a Chinese word in an input method, which must not send.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || isOpen) return;
    event.preventDefault();
    onSend();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={mention.choose} position="top-start" width={280} shadow="md">
      <Combobox.Target withKeyboardNavigation={isOpen} withAriaAttributes={isOpen}>
        <Textarea
          ref={field}
          className={classes.words!}
          aria-label={t("order.detail.messageHint")}
          placeholder={t("order.detail.messageHint")}
          description={t("order.detail.messageKeys")}
          inputWrapperOrder={["input", "description"]}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={messageRules.maxMessageLength}
          value={text}
          onChange={(event) => mention.write(event.currentTarget.value, event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onBlur={mention.close}
          onPaste={onPaste}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={t("orderDetail.message.people")} mah={220} style={{ overflowY: "auto" }}>
          {found.map((person) => (
            <Combobox.Option key={person.id} value={person.id}>
              {person.name}
              <Text size="xs" c="dimmed" component="span" display="block" truncate>
                {person.mine ? sides.own : sides.other}
              </Text>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The names that are offered while an @ is being typed, and the text with the chosen one. */
function useMention(
  field: RefObject<HTMLTextAreaElement | null>,
  { orderId, text, onChange, onMention }: Pick<Props, "orderId" | "text" | "onChange" | "onMention">,
) {
  const [mention, setMention] = useState<OpenMention | null>(null);
  const people = useCall(messageCalls.people, { id: orderId }, { enabled: mention !== null });
  const found = mention ? matchPeople(people.data ?? [], mention.query) : [];
  const isOpen = found.length > 0;
  const combobox = useCombobox({ opened: isOpen });
  const write = (next: string, caret: number) => {
    onChange(next);
    setMention(findOpenMention(next.slice(0, caret)));
  };
  const offered = found.map(({ id }) => id).join();
  const { selectFirstOption } = combobox;
  useEffect(() => {
    // Enter takes the first name, so it is selected as soon as names are offered.
    if (offered !== "") selectFirstOption();
  }, [offered, selectFirstOption]);
  const choose = (id: string) => {
    const person = found.find((one) => one.id === id);
    if (!person || !mention || !field.current) return;
    const after = text.slice(field.current.selectionStart);
    const before = `${text.slice(0, mention.start)}@${person.name} `;
    onMention(person);
    onChange(before + after.trimStart());
    setMention(null);
    // The caret is put behind the name once the new text is in the field.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(before.length, before.length);
    });
  };
  return { isOpen, found, combobox, write, choose, close: () => setMention(null) };
}
