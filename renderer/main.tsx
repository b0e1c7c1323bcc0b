// The page's start: listen for the port, follow the theme, draw.

import "./state/begins";
import "./state/checking";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./main.css";
import { App } from "./shell/App";
import { startApp } from "./state/appStore";
import { connection } from "./state/connection";
import { drawOnceKnown } from "./state/firstDrawing";
import { followTheme } from "./state/theme";
import { loadLayout } from "./state/uiStore";

connection.listen(window);
followTheme();
startApp();
void loadLayout();

// Rings stand still while nobody can see them.
function markHidden(): void {
  document.documentElement.toggleAttribute("data-hidden", document.hidden);
}
markHidden();
document.addEventListener("visibilitychange", markHidden);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
drawOnceKnown(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
