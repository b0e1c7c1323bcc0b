import { Eye, EyeOff } from "lucide-react";
import { useId, useState } from "react";
import type { Question } from "../../preload/contract/requests";
import { IconButton } from "../ui/IconButton";
import { choose, type Filled, filledFor, problemOf, write } from "./answers";

export interface QuestionFieldsProps {
  questions: readonly Question[];
  filled: Filled;
  onChange(filled: Filled): void;
  /** Set once sending was tried: what is missing is said. */
  showProblems: boolean;
  disabled: boolean;
}

export function QuestionFields({ questions, filled, onChange, showProblems, disabled }: QuestionFieldsProps) {
  return (
    <div className="grid gap-3">
      {questions.map((question) => (
        <OneQuestion
          key={question.id}
          question={question}
          filled={filled}
          onChange={onChange}
          problem={showProblems ? problemOf(filled, question) : null}
          disabled={disabled}
        />
      ))}
    </div>
  );
}

interface OneQuestionProps {
  question: Question;
  filled: Filled;
  onChange(filled: Filled): void;
  problem: string | null;
  disabled: boolean;
}

function OneQuestion({ question, filled, onChange, problem, disabled }: OneQuestionProps) {
  const id = useId();
  const { chosen } = filledFor(filled, question);
  const several = question.kind === "choices";
  const takesText = question.options.length === 0 || question.allowsText;
  return (
    <fieldset
      disabled={disabled}
      data-question={question.id}
      aria-describedby={problem === null ? undefined : `${id}-p`}
      className="grid min-w-0 gap-1.5"
    >
      <legend className="mb-1.5 grid">
        {question.header !== "" && question.header !== question.question && (
          <span className="text-s font-semibold text-ink-2">{question.header}</span>
        )}
        <span className="text-pretty break-words selectable">
          {question.question}
          {!question.required && <span className="text-ink-3"> (may be left open)</span>}
        </span>
      </legend>
      {question.options.length > 0 && (
        <div className="grid gap-1">
          {question.options.map((option) => (
            <label
              key={option.value}
              className="flex items-start gap-2 rounded-s border border-line bg-raised px-2.5 py-1.5 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-focus"
            >
              <input
                type={several ? "checkbox" : "radio"}
                name={id}
                checked={chosen.includes(option.value)}
                onChange={(event) => onChange(choose(filled, question, option.value, event.target.checked))}
                className="mt-[3px] accent-(--color-accent)"
              />
              <span className="grid min-w-0">
                <span className="break-words">{option.label}</span>
                {option.description !== null && (
                  <span className="text-s text-pretty text-ink-3">{option.description}</span>
                )}
              </span>
            </label>
          ))}
        </div>
      )}
      {takesText && (
        <OwnText question={question} filled={filled} onChange={onChange} bad={problem !== null} />
      )}
      {problem !== null && (
        <p id={`${id}-p`} role="alert" className="text-s text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

const fieldClass =
  "min-w-0 flex-1 rounded-s border border-field-line bg-raised px-2 py-1 text-m outline-none focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus aria-invalid:border-bad";

function OwnText({
  question,
  filled,
  onChange,
  bad,
}: Omit<OneQuestionProps, "problem" | "disabled"> & { bad: boolean }) {
  const [seen, setSeen] = useState(false);
  const { own } = filledFor(filled, question);
  const common = {
    "aria-label":
      question.options.length > 0
        ? `Another answer: ${question.question}`
        : question.question || question.header,
    "aria-invalid": bad || undefined,
    value: own,
    autoComplete: "off",
    spellCheck: false,
    placeholder: question.options.length > 0 ? "Something else…" : undefined,
    className: fieldClass,
  };
  if (question.secret || question.kind === "number") {
    return (
      <div className="flex items-center gap-1">
        <input
          {...common}
          type={question.secret && !seen ? "password" : "text"}
          inputMode={question.kind === "number" ? "decimal" : undefined}
          onChange={(event) => onChange(write(filled, question, event.target.value))}
        />
        {question.secret && (
          <IconButton
            label={seen ? "Hide what is written" : "Show what is written"}
            icon={seen ? <EyeOff size={14} /> : <Eye size={14} />}
            onClick={() => setSeen(!seen)}
          />
        )}
      </div>
    );
  }
  return (
    <textarea
      {...common}
      rows={Math.min(6, own.split("\n").length)}
      onChange={(event) => onChange(write(filled, question, event.target.value))}
      className={`${fieldClass} resize-none`}
    />
  );
}
