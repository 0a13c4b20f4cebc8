package org.lexigraph.bridge;

import java.util.concurrent.ExecutionException;
import org.apache.accumulo.core.client.AccumuloSecurityException;
import org.apache.accumulo.core.client.MutationsRejectedException;
import org.apache.accumulo.core.client.NamespaceExistsException;
import org.apache.accumulo.core.client.NamespaceNotFoundException;
import org.apache.accumulo.core.client.TableExistsException;
import org.apache.accumulo.core.client.TableNotFoundException;
import org.apache.accumulo.core.client.TableOfflineException;
import org.apache.accumulo.core.client.TimedOutException;
import org.apache.accumulo.core.client.security.SecurityErrorCode;
import org.lexigraph.LexigraphException;

/** Turns what Accumulo throws into errors of ours. */
final class Problems {
  /** Stands for an error on a tablet server, whose message does not come back. */
  static final String SERVER = "ServerError";

  private static final String PREFIX = "lexigraph:";

  private Problems() {}

  /** The error to be thrown instead, which never holds a password. */
  static LexigraphException of(Throwable problem) {
    Throwable last = problem;
    for (Throwable at = problem; at != null; at = at.getCause()) {
      LexigraphException found = known(at);
      if (found != null) {
        return found;
      }
      last = at;
    }
    Throwable shown = problem instanceof ExecutionException ? problem.getCause() : problem;
    return new LexigraphException("ClusterError", shown + (shown == last ? "" : ": " + last), problem);
  }

  private static LexigraphException known(Throwable at) {
    String message = String.valueOf(at.getMessage());
    int ours = message.indexOf(PREFIX);
    if (at instanceof LexigraphException) {
      return (LexigraphException) at;
    }
    if (ours >= 0) {
      String[] parts = message.substring(ours + PREFIX.length()).split(": ", 2);
      return new LexigraphException(parts[0], parts[parts.length - 1], at);
    }
    if (at instanceof MutationsRejectedException) {
      return rejected((MutationsRejectedException) at);
    }
    if (at instanceof AccumuloSecurityException) {
      return security(((AccumuloSecurityException) at));
    }
    if (at instanceof TableNotFoundException || at instanceof NamespaceNotFoundException) {
      return new LexigraphException("TableNotFound", message, at);
    }
    if (at instanceof TableExistsException || at instanceof NamespaceExistsException) {
      return new LexigraphException("InvalidName", message, at);
    }
    if (message.startsWith("Instance name ") && message.contains("does not exist")) {
      // Accumulo has no class for it.
      String name = message.substring("Instance name ".length(), message.indexOf(" does not exist"));
      return new LexigraphException("Unreachable", "these ZooKeepers do not know the instance '" + name + "'", at);
    }
    if (at instanceof TimedOutException) {
      return new LexigraphException("Unreachable", "a server did not answer in time: " + message, at);
    }
    if (at instanceof TableOfflineException) {
      return new LexigraphException("Unreachable", message, at);
    }
    if (at.getClass().getSimpleName().equals("AccumuloServerException")) {
      return new LexigraphException(SERVER, message, at);
    }
    return null;
  }

  private static LexigraphException security(AccumuloSecurityException at) {
    SecurityErrorCode code = at.getSecurityErrorCode();
    if (code == SecurityErrorCode.BAD_AUTHORIZATIONS) {
      return new LexigraphException(
          "NotGranted", "Accumulo did not grant user '" + at.getUser() + "' what was asked for", at);
    }
    if (code == SecurityErrorCode.USER_DOESNT_EXIST) {
      return new LexigraphException("NotFoundError", "Accumulo has no user '" + at.getUser() + "'", at);
    }
    if (code == SecurityErrorCode.USER_EXISTS) {
      return new LexigraphException(
          "InvalidName", "Accumulo has a user '" + at.getUser() + "' already", at);
    }
    String table = at.getTableInfo() == null ? "" : " on table " + at.getTableInfo();
    return new LexigraphException(
        "Authorization", "Accumulo refused user '" + at.getUser() + "'" + table + ": " + code, at);
  }

  private static LexigraphException rejected(MutationsRejectedException at) {
    if (!at.getConstraintViolationSummaries().isEmpty()) {
      return new LexigraphException(
          "ConstraintError", "constraints refused it: " + at.getConstraintViolationSummaries(), at);
    }
    if (!at.getSecurityErrorCodes().isEmpty()) {
      return new LexigraphException(
          "Authorization", "Accumulo refused the write: " + at.getSecurityErrorCodes().values(), at);
    }
    for (Throwable cause = at.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof TableNotFoundException) {
        return new LexigraphException("TableNotFound", cause.getMessage(), at);
      }
    }
    return new LexigraphException(
        "Unreachable",
        "tablet servers did not take all of it, and some of it may be written: " + at.getMessage(),
        at);
  }
}
