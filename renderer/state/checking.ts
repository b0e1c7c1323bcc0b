// How messages are checked. Loaded before the contract: the checks are made when that is loaded.

import { z } from "zod";

// The content security policy forbids making functions out of text, which zod would do to be faster; already trying it is
// reported, and costs a start of the window 30 ms.
z.config({ jitless: true });
