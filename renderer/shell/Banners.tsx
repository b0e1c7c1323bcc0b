import type { ReactNode } from "react";
import { useApp } from "../state/appStore";
import { call } from "../state/connection";
import { attempt } from "../state/toasts";
import { Notice } from "../ui/Notice";

/** What main has to say about the app as a whole. */
export function AppNotices() {
  const notices = useApp((app) => app.notices);
  return (
    <Banners>
      {notices.map((notice) => (
        <Notice
          key={notice.id}
          live
          tone={notice.tone}
          title={notice.text}
          hint={notice.hint}
          detail={notice.detail}
          onDismiss={() => void attempt(call("notices.dismiss", { id: notice.id }))}
        />
      ))}
    </Banners>
  );
}

export function Banners({ children }: { children: ReactNode }) {
  return (
    <div className="grid max-h-[40%] shrink-0 gap-2 overflow-y-auto not-empty:border-b not-empty:border-line not-empty:p-3">
      {children}
    </div>
  );
}
