package org.lexigraph;

/**
 * An error of ours. The message starts with <code>lexigraph:&lt;Name&gt;: </code>, the name being the class of
 * <code>lexigraph.errors</code> that the client raises with the rest of the message: messages are all that comes
 * back from a tablet server.
 */
public class LexigraphException extends IllegalArgumentException {

  private static final String PREFIX = "lexigraph:";

  private final String name;
  private final String text;

  /** An error of the class <code>name</code> of <code>lexigraph.errors</code>. */
  public LexigraphException(String name, String text) {
    this(name, text, null);
  }

  /** The same, with what caused it. */
  public LexigraphException(String name, String text, Throwable cause) {
    super(PREFIX + name + ": " + text, cause);
    this.name = name;
    this.text = text;
  }

  /** An option, field or stage that is not known or cannot be combined. */
  public static LexigraphException invalidOption(String text) {
    return new LexigraphException("InvalidOption", text);
  }

  /** Bytes that the asked-for codec did not write. */
  public static LexigraphException invalidBytes(String text) {
    return new LexigraphException("InvalidBytes", text);
  }

  /** A value that the codec, property or function cannot hold. */
  public static LexigraphException invalidValue(String text) {
    return new LexigraphException("InvalidValue", text);
  }

  /** The class of <code>lexigraph.errors</code>. */
  public String name() {
    return name;
  }

  /** The message without its prefix. */
  public String text() {
    return text;
  }
}
