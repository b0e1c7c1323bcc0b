import { TextField, type TextFieldProps } from "../../ui/TextField";

/** A token: typed or pasted, never shown. */
export function PasswordField(props: Omit<TextFieldProps, "type">) {
  return (
    <TextField
      {...props}
      type="password"
      // What was saved elsewhere is nothing that an exec-server knows.
      autoComplete="new-password"
      mono
      maxLength={16_384}
    />
  );
}
