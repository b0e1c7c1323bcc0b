// Comes before everything else of the page, and so runs as soon as the page's script is there.

import "./host";

window.holdfast?.begins();
