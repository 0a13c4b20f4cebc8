package org.lexigraph.bridge;

import java.util.ArrayList;
import java.util.List;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.admin.SecurityOperations;
import org.apache.accumulo.core.client.security.tokens.PasswordToken;
import org.apache.accumulo.core.security.NamespacePermission;
import org.apache.accumulo.core.security.SystemPermission;
import org.apache.accumulo.core.security.TablePermission;

/** Users and what they may do; {@link Admin} says what they may read. */
public final class Users {
  private final SecurityOperations security;
  private final Calls calls;

  Users(AccumuloClient client, Calls calls) {
    this.security = client.securityOperations();
    this.calls = calls;
  }

  /** Makes a user without any permission. */
  public void create(String user, String password) {
    calls.act("making user " + user, () -> security.createLocalUser(user, new PasswordToken(password)));
  }

  /** Removes a user. */
  public void drop(String user) {
    calls.act("dropping user " + user, () -> security.dropLocalUser(user));
  }

  /** What a user may do anywhere, by Accumulo's names. */
  public String[] systemPermissions(String user) {
    return calls.run(
        "reading what " + user + " may do",
        () -> {
          List<String> found = new ArrayList<>();
          for (SystemPermission one : SystemPermission.values()) {
            if (security.hasSystemPermission(user, one)) {
              found.add(one.name());
            }
          }
          return found.toArray(new String[0]);
        });
  }

  /** What a user may do in a namespace. */
  public String[] namespacePermissions(String user, String namespace) {
    return calls.run(
        "reading what " + user + " may do in " + namespace,
        () -> {
          List<String> found = new ArrayList<>();
          for (NamespacePermission one : NamespacePermission.values()) {
            if (security.hasNamespacePermission(user, namespace, one)) {
              found.add(one.name());
            }
          }
          return found.toArray(new String[0]);
        });
  }

  /** What a user may do to a table. */
  public String[] tablePermissions(String user, String table) {
    return calls.run(
        "reading what " + user + " may do to " + table,
        () -> {
          List<String> found = new ArrayList<>();
          for (TablePermission one : TablePermission.values()) {
            if (security.hasTablePermission(user, table, one)) {
              found.add(one.name());
            }
          }
          return found.toArray(new String[0]);
        });
  }

  /** Lets a user do something anywhere. */
  public void permitSystem(String user, String permission) {
    calls.act(
        "permitting " + user,
        () -> security.grantSystemPermission(user, SystemPermission.valueOf(permission)));
  }

  /** Lets a user do something to a table. */
  public void permit(String user, String table, String permission) {
    calls.act(
        "permitting " + user,
        () -> security.grantTablePermission(user, table, TablePermission.valueOf(permission)));
  }
}
