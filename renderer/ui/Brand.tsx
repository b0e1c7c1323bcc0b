/** The anchor. Decoration: the name stands beside it. */
export function Brand({ size }: { size: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      className="shrink-0 text-accent"
    >
      <title>Holdfast</title>
      <circle cx="9" cy="3.4" r="1.7" />
      <path d="M9 5.2v10.4M5.6 8h6.8M2.6 10.6c.3 3 3 5 6.4 5s6.1-2 6.4-5" />
    </svg>
  );
}
