import { useEffect, useState } from "react";
import { useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";

/**
 * The state of a page's dialog for a new record. `?new=1` opens it as well, so that the search can lead to it from every
 * page. The address forgets it at once: going back must not open the dialog again.
 */
export function useNewDialog(): [isShown: boolean, show: (isShown: boolean) => void] {
  const { new: requested } = useSearchParams();
  const setAddress = useSetSearchParams();
  const [isShown, show] = useState(false);
  useEffect(() => {
    if (requested === undefined) return;
    setAddress({ new: undefined });
    show(true);
  }, [requested, setAddress]);
  return [isShown, show];
}
