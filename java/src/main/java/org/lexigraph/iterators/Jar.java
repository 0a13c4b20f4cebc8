package org.lexigraph.iterators;

import java.io.InputStream;
import java.net.URL;
import java.security.CodeSource;
import java.security.MessageDigest;

/** The jar that this code runs from: its version, and a digest by which two jars of one version differ. */
public final class Jar {
  private static final String VERSION = readVersion();
  private static final String DIGEST = readDigest();

  private Jar() {}

  /** The version of the jar; "unpacked" where there is none. */
  public static String version() {
    return VERSION;
  }

  /** The start of the SHA-256 of the jar, in hex; "unpacked" where there is none. */
  public static String digest() {
    return DIGEST;
  }

  private static String readVersion() {
    String version = Jar.class.getPackage().getImplementationVersion();
    return version == null ? "unpacked" : version;
  }

  private static String readDigest() {
    CodeSource source = Jar.class.getProtectionDomain().getCodeSource();
    String place = source == null ? "" : String.valueOf(source.getLocation());
    // The loaders of contexts name the inside of a jar.
    String file = place.replaceFirst("^jar:", "").replaceFirst("!/$", "");
    if (!file.endsWith(".jar")) {
      return "unpacked";
    }
    try (InputStream in = new URL(file).openStream()) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
      byte[] whole = digest.digest();
      StringBuilder text = new StringBuilder();
      for (int at = 0; at < 6; at++) {
        text.append(String.format("%02x", whole[at]));
      }
      return text.toString();
    } catch (Exception problem) {
      return "unreadable";
    }
  }
}
