import { ActionIcon, Center, Loader, Popover, TextInput } from "@mantine/core";
import type { TextInputProps } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { insertSeparators, formatDayInput, maxInputLength, parseDayInput } from "../../i18n/day-input.ts";
import { getDayPattern } from "../../i18n/format.ts";
import { useLanguage, useTexts } from "../../i18n/texts.ts";
import { toWallTime } from "../../i18n/time-zone.ts";

const DayCalendar = lazy(async () => ({ default: (await import("./day-calendar.tsx")).DayCalendar }));

export interface DayFieldProps extends Omit<
  TextInputProps,
  "value" | "onChange" | "type" | "min" | "max" | "rightSection"
> {
  /** YYYY-MM-DD, or with `withTime` YYYY-MM-DDTHH:mm in the institution's time zone; empty if nothing is chosen. */
  value: string;
  /** Called with a complete day, and with an empty text as long as there is none. */
  onChange: (value: string) => void;
  /** Called with the typed text while it is not a day yet, in place of the empty text. */
  onUnreadable?: (text: string) => void;
  withTime?: boolean;
  min?: string;
  max?: string;
  /** The calendar begins with the years. For days that are usually decades ago, such as a date of birth. */
  isLongAgo?: boolean;
}

/**
 * A day, typed or chosen from a calendar, in the format in which the product shows days: a browser's own field would follow
 * the browser's language.
 */
export function DayField({ value, onChange, onUnreadable, withTime, min, max, isLongAgo, ...rest }: DayFieldProps) {
  const t = useTexts("common");
  const pattern = getDayPattern(useLanguage());
  const [typed, setTyped] = useState<TypedText | null>(null);
  const [isBlurred, setBlurred] = useState(true);
  if (typed && !typed.isApplied && typed.value === value) setTyped({ ...typed, isApplied: true });
  const isTyped = typed && (typed.value === value || (!typed.isApplied && typed.previousValue === value));
  const text = isTyped ? typed.text : formatDayInput(value, pattern);
  const type = (next: string, isWhole = false) => {
    const shown = isWhole || next.length < text.length ? next : insertSeparators(next, pattern, withTime ? 12 : 8);
    const read = parseDayInput(shown, pattern, withTime);
    const reported = read ?? (onUnreadable && shown.trim() !== "" ? shown : "");
    setTyped({ text: shown, value: reported, previousValue: value, isApplied: false });
    if (read === null && reported !== "") onUnreadable?.(reported);
    else onChange(reported);
  };
  const isInvalid = isBlurred && text.trim() !== "" && parseDayInput(text, pattern, withTime) === null;
  return (
    <TextInput
      autoComplete="off"
      inputMode="text"
      placeholder={t(withTime ? "common.calendar.timeShape" : "common.calendar.dayShape")}
      maxLength={maxInputLength}
      dir="ltr"
      {...rest}
      error={isInvalid ? t(withTime ? "common.field.timeShape" : "common.field.dateShape") : rest.error}
      value={text}
      onFocus={(event) => {
        setBlurred(false);
        rest.onFocus?.(event);
      }}
      onBlur={(event) => {
        afterPress(() => setBlurred(true));
        if (typed && parseDayInput(text, pattern, withTime)) setTyped(null);
        rest.onBlur?.(event);
      }}
      onChange={(event) => type(event.currentTarget.value)}
      rightSection={
        <CalendarButton
          day={value.slice(0, 10)}
          isDisabled={rest.disabled === true}
          {...{ min, max, isLongAgo }}
          onPick={(day) => type(formatDayInput(withTime ? `${day}T${getTimeOrNow(value)}` : day, pattern), true)}
        />
      }
    />
  );
}

/**
 * Runs `action` after the click if the pointer is pressed, else at once. An error that appears between press and release
 * would move the pressed button away from the pointer, and the browser would report no click.
 */
function afterPress(action: () => void): void {
  if (!document.querySelector(":active")) return action();
  const listening = new AbortController();
  const finish = (): void => {
    listening.abort();
    setTimeout(action);
  };
  for (const name of ["pointerup", "pointercancel"])
    window.addEventListener(name, finish, { signal: listening.signal, capture: true });
}

/** Typed text. It remains in the field until another value comes from outside. */
interface TypedText {
  text: string;
  /** The value that the text means. */
  value: string;
  /** The value of the field before the edit: a value stored in the address changes a moment later. */
  previousValue: string;
  isApplied: boolean;
}

/** The time in the field, else the current time. */
const getTimeOrNow = (value: string): string => value.slice(11) || toWallTime().slice(11);

interface ButtonProps {
  day: string;
  isDisabled: boolean;
  min: string | undefined;
  max: string | undefined;
  isLongAgo: boolean | undefined;
  onPick: (day: string) => void;
}

function CalendarButton({ isDisabled, onPick, day, ...calendar }: ButtonProps) {
  const t = useTexts("common");
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={isDisabled}
          aria-label={t("common.calendar.open")}
          onClick={() => setOpen((now) => !now)}
        >
          <IconCalendar size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      {/* Escape closes only the calendar, not the dialog that contains the field. */}
      <Popover.Dropdown aria-label={t("common.calendar.open")} data-mantine-stop-propagation="true">
        <Suspense
          fallback={
            <Center w={252} h={288}>
              <Loader size="sm" />
            </Center>
          }
        >
          <DayCalendar
            {...calendar}
            day={/^\d{4}-\d\d-\d\d$/.test(day) ? day : ""}
            onPick={(picked) => {
              setOpen(false);
              onPick(picked);
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
