import { Menu, Popover, Tooltip } from "@mantine/core";
import type { MenuProps, PopoverProps, TooltipProps } from "@mantine/core";
import { useEffect, useLayoutEffect, useState } from "react";
import type { ReactNode, Ref, RefObject } from "react";
import type { DropdownState } from "./use-lazy-dropdown.ts";

export type TooltipLook = Pick<TooltipProps, "position" | "multiline" | "maw">;

interface AnchoredTooltipProps extends TooltipLook {
  /** The element of the label, by which the target may be described. */
  id: string;
  target: HTMLElement;
  label: ReactNode;
}

/** An open tooltip beside an element that is already shown. */
export const AnchoredTooltip = ({ id, label, ...props }: AnchoredTooltipProps) => (
  <Tooltip opened label={<span id={id}>{label}</span>} {...props} />
);

type AnchoredProps<Props> = DropdownState & Omit<Props, "opened" | "onChange">;

/** Mantine's menu, below a button that was there before the code of the menu. */
export function AnchoredMenu({ anchor, opened, onChange, children, ...rest }: AnchoredProps<MenuProps>) {
  const isMounted = useIsMounted();
  return (
    <Menu opened={opened && isMounted} onChange={onChange} {...rest}>
      <Menu.Target>
        <Anchor of={anchor} />
      </Menu.Target>
      {children}
    </Menu>
  );
}

/** Mantine's popover, beside a button that was there before the code of the popover. */
export function AnchoredPopover({ anchor, opened, onChange, children, ...rest }: AnchoredProps<PopoverProps>) {
  const isMounted = useIsMounted();
  return (
    <Popover opened={opened && isMounted} onChange={onChange} {...rest}>
      <Popover.Target>
        <Anchor of={anchor} />
      </Popover.Target>
      {children}
    </Popover>
  );
}

// It opens one turn after its mount. Only a change of `opened` makes it note where the focus returns to.
function useIsMounted(): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return isMounted;
}

interface AnchorProps {
  of: RefObject<HTMLElement | null>;
  ref?: Ref<HTMLElement>;
  id?: string;
  "aria-controls"?: string;
}

/** Stands for the button where Mantine asks for a target: passes the reference on, and writes the names on the button. */
function Anchor({ of, ref, id, "aria-controls": controls }: AnchorProps) {
  useLayoutEffect(() => {
    const setReference = (element: HTMLElement | null) => {
      if (typeof ref === "function") ref(element);
      else if (ref) ref.current = element;
    };
    setReference(of.current);
    return () => setReference(null);
  }, [of, ref]);
  useLayoutEffect(() => {
    if (id) of.current?.setAttribute("id", id);
    if (controls) of.current?.setAttribute("aria-controls", controls);
    else of.current?.removeAttribute("aria-controls");
  }, [of, id, controls]);
  return null;
}
